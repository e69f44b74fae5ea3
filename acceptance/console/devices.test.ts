import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page, Request } from 'playwright-core'
import { launchBrowser, type WatchedPage } from '../pages/browser.ts'
import { connectDevice, endDevices } from '../support/clients/mqtt.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { applyInventory, type Demo, exportInventory, startDemo } from '../support/servers/installation.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'
import { eventually } from '../support/eventually.ts'
import { openConsole, tabTo, visit, whenLoaded } from './console-page.ts'

describe('devices, events and webhooks of a partner', { skip: skipWithout(testTools.chromium) }, () => {
  let demo: Demo
  let siteId: string
  let browser: Browser
  let page: WatchedPage
  let devices: JsonObject[]

  before(async () => {
    demo = await startDemo()
    const { SITE_ID, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = demo.portico.demoEnv
    siteId = SITE_ID
    devices = await demo.client.list('/devices')
    browser = await launchBrowser()
    // Far from the zone of the site: nothing may depend on the zone of the browser.
    const options = { timezoneId: 'Pacific/Auckland' }
    page = await openConsole(browser, demo.portico, { clientId, clientSecret }, '/console', options)
  })
  after(async () => {
    await browser.close()
    await demo.stop()
  })

  const open = (path: string): Promise<void> => visit(page, demo.portico, path)
  /** The record of a device by the beginning of its name. */
  const findDevice = (name: string): JsonObject => {
    const found = devices.find(({ deviceName }) => asString(deviceName).startsWith(name))
    assert.ok(found, `the demo has a device ${name}`)
    return found
  }
  const openDevice = (name: string): Promise<void> =>
    open(`/console/${siteId}/devices/${asString(findDevice(name)['deviceUuid'])}`)
  const listCommands = (name: string): Promise<JsonObject[]> =>
    demo.client.list(`/devices/${asString(findDevice(name)['deviceUuid'])}/commands`)
  const sendOverride = async (name: string): Promise<string> => {
    const path = `/devices/${asString(findDevice(name)['deviceUuid'])}/schedule`
    const body = { type: 'override', target: { temperature: 20 }, durationMinutes: 30 }
    const answer = await demo.client.post(path, body)
    assert.equal(answer.status, 202, answer.text)
    return asString(answer.json['commandUuid'])
  }
  const choose = (name: string): Promise<void> => page.getByRole('radio', { name }).press('Space')
  const sendButton = (): Locator => page.getByRole('button', { name: 'Send', exact: true })
  const simulate = async (mode: string): Promise<void> => {
    const panel = page.getByRole('region', { name: 'Simulate' })
    await panel.getByRole('radio', { name: mode }).press('Space')
    await panel.getByRole('button', { name: 'Apply' }).click()
    await panel.getByText('The device now').waitFor()
  }

  test('the menu is beside the page, or above it and closed after each navigation', async () => {
    const menu = page.getByRole('navigation', { name: 'Account' })
    await open(`/console/${siteId}/devices`)
    assert.ok(await menu.isVisible())
    const wide = page.viewportSize() ?? assert.fail()
    await page.setViewportSize({ width: 390, height: 844 })
    await menu.waitFor({ state: 'hidden' })
    await page.getByText('Menu', { exact: true }).click()
    await menu.getByRole('link', { name: 'Migration' }).click()
    await page.getByRole('heading', { level: 1, name: 'Migration' }).waitFor()
    await menu.waitFor({ state: 'hidden' })
    await page.setViewportSize(wide)
    await menu.waitFor()
  })

  describe('the list of devices', () => {
    const names = async (): Promise<string[]> =>
      (await page.getByRole('table').locator('tbody th').allInnerTexts()).toSorted()
    const expected = (matches: (device: JsonObject) => boolean): string[] =>
      devices
        .filter(matches)
        .map(({ deviceName }) => asString(deviceName))
        .toSorted()

    test('has 200 rows, then more', async () => {
      await open(`/console/${siteId}/devices`)
      assert.equal((await names()).length, 200)
      await page.getByRole('button', { name: 'More' }).click()
      await eventually(async () =>
        assert.deepEqual(
          await names(),
          expected(() => true),
        ),
      )
    })

    test('is filtered by type, space, control, warnings and name, in the address', async () => {
      await open(`/console/${siteId}/devices`)
      await page.getByLabel('Type').selectOption('trv')
      await page.getByLabel('Control').selectOption('yes')
      await page.getByLabel('Warnings').selectOption('low-battery')
      const hasLowBattery = ({ warnings }: JsonObject): boolean =>
        asArray(warnings).some((warning) => asObject(warning)['code'] === 'low-battery')
      const low = expected(hasLowBattery)
      assert.ok(low.length > 0)
      await eventually(async () => assert.deepEqual(await names(), low))
      assert.equal(new URL(page.url()).search, '?type=trv&controllable=yes&warnings=low-battery')
      await page.reload()
      await whenLoaded(page)
      assert.deepEqual(await names(), low)

      const { spaceUuid, spaceName } = findDevice('S101 radiator valve')
      await open(`/console/${siteId}/devices`)
      await page.getByLabel('Space').selectOption(asString(spaceName))
      const inSpace = expected((device) => device['spaceUuid'] === spaceUuid)
      await eventually(async () => assert.deepEqual(await names(), inSpace))
      // The last devices of the list are not on its first page.
      await open(`/console/${siteId}/devices`)
      await page.getByLabel('Name').fill('REJECTS commands')
      await eventually(async () =>
        assert.deepEqual(
          await names(),
          expected(({ deviceName }) => /rejects commands/.test(String(deviceName))),
        ),
      )
    })
  })

  describe('a schedule', () => {
    test('is sent by keyboard alone, and each state is announced until it is CONFIRMED', async () => {
      const name = 'S202 radiator valve'
      await openDevice(name)
      const slider = page.getByRole('slider', { name: 'Temperature' })
      await tabTo(page, slider)
      await page.keyboard.press('Home')
      for (let step = 0; step < 25; step++) await page.keyboard.press('ArrowRight')
      assert.equal(await slider.getAttribute('aria-valuetext'), '19.5 °C')
      await recordAnnouncements(page)
      await tabTo(page, sendButton())
      await page.keyboard.press('Enter')
      const command = page.getByRole('article', { name: 'Override command' })
      await command.getByText('Confirmed: the command is in effect.').waitFor()
      const said = await listAnnouncements(page)
      for (const state of ['Pending:', 'Sent:', 'Delivered:', 'Confirmed:'])
        assert.ok(said.includes(state), `${state} in ${said}`)
      assert.match(await command.locator('.steps').innerText(), /Pending[^]*Sent[^]*Delivered[^]*Confirmed/)

      const [sent = {}] = await listCommands(name)
      assert.equal(sent['state'], 'CONFIRMED')
      assert.deepEqual(sent['schedule'], {
        type: 'override',
        target: { temperature: 19.5 },
        durationMinutes: 60,
      })
      const schedule = page.getByRole('region', { name: 'Schedule', exact: true })
      await schedule.getByText('19.5 °C', { exact: true }).waitFor()
      const story = page.getByRole('region', { name: 'Story' })
      await story.getByText('Override confirmed').first().waitFor()
      const titles = await story.locator('li strong').allInnerTexts()
      const order = ['Override confirmed', 'Override delivered', 'Override sent', 'Override pending']
      assert.deepEqual(
        titles.filter((title) => order.includes(title)),
        order,
      )
    })

    test('cannot have a value that the device does not accept', async () => {
      const device = findDevice('S103 radiator valve')
      const { min, max } = asObject(asObject(device['effective'])['setpoint'])
      await openDevice('S103 radiator valve')
      const slider = page.getByRole('slider', { name: 'Temperature' })
      for (const [key, bound, button] of [
        ['End', max, 'Temperature: more'],
        ['Home', min, 'Temperature: less'],
      ] as const) {
        await slider.press(key)
        await slider.press(key === 'End' ? 'ArrowRight' : 'ArrowLeft')
        assert.equal(await slider.getAttribute('aria-valuetext'), `${String(bound)} °C`)
        assert.ok(await page.getByRole('button', { name: button }).isDisabled())
      }
      await choose('Boost')
      const duration = page.getByRole('slider', { name: 'Duration' })
      await duration.press('End')
      assert.equal(await duration.getAttribute('aria-valuetext'), '4 h')

      await choose('Weekly plan')
      const add = page.getByRole('button', { name: 'Add a period' })
      const period = page.getByRole('group', { name: 'Period 1', exact: true })
      await add.click()
      const minutes = await period
        .getByRole('combobox', { name: 'From, minute' })
        .locator('option')
        .allInnerTexts()
      assert.deepEqual(minutes, ['00', '10', '20', '30', '40', '50'])
      // Six periods a day: weekdays are full after six, and the weekend after six more.
      for (let count = 1; count < 12; count++) await add.click()
      assert.ok(await add.isDisabled())
      assert.ok(await period.getByRole('checkbox', { name: 'Sat' }).isDisabled())
      assert.ok(await period.getByRole('checkbox', { name: 'Mon' }).isEnabled())
      // A period that overlaps another is marked, and nothing is sent.
      await period.getByRole('combobox', { name: 'From, hour' }).selectOption('10')
      await period.getByRole('combobox', { name: 'To, hour' }).selectOption('12')
      await page.getByText('Overlaps period').first().waitFor()
      await sendButton().click()
      await page.getByText('Nothing was sent: see the marked fields.').waitFor()
      assert.deepEqual(await listCommands('S103 radiator valve'), [])
    })

    test('cannot have a temperature that the mode of an air conditioner does not accept', async () => {
      const device = devices.find(({ deviceType }) => deviceType === 'airConditioner')
      const name = asString(device?.['deviceName'])
      const { setpoint, setpointByMode } = asObject(device?.['effective'])
      await openDevice(name)
      const slider = page.getByRole('slider', { name: 'Temperature' })
      const mode = page.getByLabel('Mode')
      const bounds: [mode: string, bounds: unknown][] = [
        ['', setpoint],
        ...Object.entries(asObject(setpointByMode)),
      ]
      assert.notDeepEqual(asObject(setpointByMode)['heat'], asObject(setpointByMode)['cool'])
      for (const [chosen, range] of bounds) {
        const { min, max } = asObject(range)
        await mode.selectOption(chosen)
        for (const [key, bound] of [
          ['End', max],
          ['Home', min],
        ] as const) {
          await slider.press(key)
          assert.equal(await slider.getAttribute('aria-valuetext'), `${String(bound)} °C`, chosen)
        }
      }
      // The lowest temperature of cooling is none of heating any more when the mode changes, and the reverse.
      const { heat, cool } = asObject(setpointByMode)
      await mode.selectOption('cool')
      await slider.press('End')
      await mode.selectOption('heat')
      assert.equal(await slider.getAttribute('aria-valuetext'), `${String(asObject(heat)['max'])} °C`)
      await slider.press('Home')
      await mode.selectOption('cool')
      assert.equal(await slider.getAttribute('aria-valuetext'), `${String(asObject(cool)['min'])} °C`)
      await sendButton().click()
      await page.getByRole('region', { name: 'Commands in progress' }).getByRole('article').waitFor()
      const [command] = await listCommands(name)
      const { target } = asObject(command?.['schedule'])
      assert.deepEqual(target, { temperature: asObject(cool)['min'], mode: 'cool' })
    })

    test('offers only the types that the device accepts', async () => {
      await openDevice('Hot water cylinder')
      const types = page.getByRole('group', { name: 'Type' })
      assert.deepEqual(await types.getByRole('radio').count(), 4)
      assert.equal(await types.getByRole('radio', { name: 'One-off' }).count(), 0)
      await openDevice('Flat S1A electricity')
      assert.equal(await sendButton().count(), 0)
    })

    test('is sent as the call that the form shows', async () => {
      await openDevice('S103 radiator valve')
      await choose('Weekly plan')
      await page.getByRole('button', { name: 'Add a period' }).click()
      await page.getByRole('button', { name: 'Show the call: Send a schedule' }).click()
      const code = await page.getByRole('dialog').locator('pre').innerText()
      await page.keyboard.press('Escape')
      const sending = page.waitForRequest((request) => request.method() === 'POST')
      await sendButton().click()
      const body: unknown = (await sending).postDataJSON()
      assert.equal(asObject(body)['type'], 'weekly')
      assert.ok(code.includes(JSON.stringify(body)), code)
      await page
        .getByRole('article', { name: 'Weekly plan command' })
        .getByText('Confirmed: the command is in effect.')
        .waitFor()
      await page
        .getByRole('region', { name: 'Schedule', exact: true })
        .getByText('1 period; otherwise 16 °C', { exact: true })
        .waitFor()
    })

    test('for one period is sent, and the device is returned to its plan', async () => {
      const name = 'S105 radiator valve'
      await openDevice(name)
      for (const [type, sent] of [
        ['One-off', 'oneOff'],
        ['Resume', 'resume'],
      ] as const) {
        await choose(type)
        await sendButton().click()
        await page
          .getByRole('article', { name: `${type} command` })
          .getByText('Confirmed: the command is in effect.')
          .waitFor()
        const [last = {}] = await listCommands(name)
        assert.deepEqual([last['type'], last['state']], [sent, 'CONFIRMED'])
      }
    })

    test('that was cancelled meanwhile cannot be cancelled again', async () => {
      const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = demo.portico.demoEnv
      const name = 'S105 radiator valve'
      const devicePath = `/devices/${asString(findDevice(name)['deviceUuid'])}`
      const mode = (body: JsonObject): Promise<unknown> =>
        demo.client.post(`/sandbox${devicePath}/simulate`, body)
      await mode({ mode: 'offline' })
      // The browser reports the refusal.
      const path = `/console/${siteId}${devicePath}`
      const other = await openConsole(browser, demo.portico, { clientId, clientSecret }, path)
      try {
        // The page does not learn what has become of the command.
        const isLongPoll = (request: Request): boolean => request.headers()['prefer'] !== undefined
        await other.route(/\/commands\//, (route) =>
          isLongPoll(route.request()) ? undefined : route.continue(),
        )
        // Requests before the first long poll return the current state immediately.
        const isFollowed = other.waitForRequest(isLongPoll)
        await other.getByRole('button', { name: 'Send', exact: true }).click()
        const article = other.getByRole('article', { name: 'Override command' })
        const cancel = article.getByRole('button', { name: 'Cancel the command' })
        await cancel.waitFor()
        await isFollowed
        const [command] = await listCommands(name)
        const commandPath = `${devicePath}/commands/${asString(command?.['commandUuid'])}`
        const answer = await demo.client.send(commandPath, { method: 'DELETE' })
        assert.ok(answer.status < 300, answer.text)
        await cancel.click()
        await article.getByText('It could not be cancelled, because it had already ended.').waitFor()
        await article.locator('header').getByText('Cancelled').waitFor()
        assert.equal(await cancel.count(), 0)
      } finally {
        await mode({ mode: 'online' })
        await other.context().close()
      }
    })

    test('that is rejected shows the reason, and one that waits can be cancelled', async () => {
      const name = 'S104 radiator valve'
      await openDevice(name)
      await simulate('Reject')
      await sendButton().click()
      const rejected = page.getByRole('article', { name: 'Override command' })
      await rejected.getByText('Failed: the command was not carried out.').waitFor()
      await rejected.getByText('DEVICE_REJECTED').waitFor()
      await page.getByRole('list', { name: 'Warnings' }).getByText('Rejecting').waitFor()

      await simulate('Offline')
      await choose('Boost')
      await sendButton().click()
      const waiting = page.getByRole('article', { name: 'Boost command' })
      await waiting.getByText('Pending: the command is stored and waits to be sent.').waitFor()
      await waiting.getByRole('button', { name: 'Cancel the command' }).click()
      await waiting.getByText('Cancelled: the command has no effect.').waitFor()
      const [last = {}] = await listCommands(name)
      assert.equal(last['state'], 'CANCELLED')
      await simulate('Online')
    })

    test('is on one timeline with moves and rejected messages of the device, which can be chosen', async () => {
      const name = 'S101 sensor'
      const { deviceUuid, spaceName } = findDevice(name)
      const { MQTT_USERNAME: username, MQTT_PASSWORD: password } = demo.portico.demoEnv
      const gateway = await connectDevice(demo.portico.mqttUrl, { username, password })
      await gateway.publish(`portico/v1/${siteId}/${asString(deviceUuid)}/readings`, 'not JSON')
      endDevices()
      const inventory = await exportInventory(demo, siteId)
      const target = inventory.spaces.find((space) => space['spaceName'] === 'S105')
      const since = new Date(Date.now() - 3_600_000).toISOString()
      await applyInventory(demo, {
        ...inventory,
        devices: inventory.devices.map((device) =>
          device['deviceUuid'] === deviceUuid
            ? { ...device, spaceUuid: target?.['spaceUuid'], since }
            : device,
        ),
      })
      try {
        await openDevice(name)
        const story = page.getByRole('region', { name: 'Story' })
        const move = story.getByRole('listitem').filter({ hasText: 'Moved to S105' })
        await move.getByText(`It was in ${asString(spaceName)} before.`).waitFor()
        assert.equal(await move.getByRole('time').getAttribute('datetime'), since)
        const rejected = story.getByRole('listitem').filter({ hasText: 'Message rejected' })
        await rejected.getByText('The payload is not JSON. (not-json)').waitFor()
        await story.getByRole('checkbox', { name: 'Moves' }).press('Space')
        await move.waitFor({ state: 'detached' })
        assert.equal(await rejected.count(), 1)
      } finally {
        await applyInventory(demo, { ...inventory })
      }
    })

    test('shows errors of the server at the fields, such as that of a policy that has just changed', async () => {
      const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = demo.portico.demoEnv
      const path = `/console/${siteId}/devices/${asString(findDevice('Reception air')['deviceUuid'])}`
      const other = await openConsole(browser, demo.portico, { clientId, clientSecret }, path)
      await other.getByLabel('Mode').selectOption('cool')
      const slider = other.getByRole('slider', { name: 'Temperature' })
      await slider.press('Home')
      const inventory = await exportInventory(demo, siteId)
      const { site } = inventory
      const policy = { ...asObject(site['policy'] ?? {}), cooling: { min: 22, max: 26 } }
      await applyInventory(demo, { ...inventory, site: { ...site, policy } })
      try {
        await other.getByRole('button', { name: 'Send', exact: true }).click()
        await other.getByText('This must be from').waitFor()
        const described = (await slider.getAttribute('aria-describedby'))?.split(' ').at(-1) ?? ''
        assert.match(
          await other.locator(`[id="${described}"]`).innerText(),
          /^This must be from 22 to 26 °C\.$/,
        )
      } finally {
        await applyInventory(demo, { ...inventory })
      }
      await other.context().close()
    })
  })

  describe('the event log', () => {
    test('grows while it is shown, with one request at a time, and pauses', async () => {
      let waiting = 0
      let most = 0
      let started = 0
      const isEvents = (url: string): boolean => new URL(url).pathname === '/v2/events'
      const other = await page.context().newPage()
      other.on('request', (request) => {
        if (!isEvents(request.url())) return
        started += 1
        most = Math.max(most, ++waiting)
      })
      const end = (request: { url(): string }): void => {
        if (isEvents(request.url())) waiting -= 1
      }
      other.on('requestfinished', end)
      other.on('requestfailed', end)
      await visit(other, demo.portico, `/console/${siteId}/events?type=command.updated`)
      await other.getByText('live', { exact: true }).waitFor()
      const uuid = await sendOverride('S105 radiator valve')
      const rows = other.getByRole('table').locator('tbody tr', { hasText: 'S105 radiator valve' })
      await rows.getByText('Override confirmed').waitFor()
      await rows.first().getByRole('button', { name: 'Show' }).click()
      const shown: unknown = JSON.parse(await other.locator('tr.detail pre').innerText())
      const { eventUuid, data } = asObject(shown)
      assert.equal(asObject(asObject(data)['command'])['commandUuid'], uuid)
      assert.deepEqual(shown, await demo.client.get(`/events/${asString(eventUuid)}`))
      assert.equal(most, 1)

      await other.getByRole('button', { name: 'Pause' }).click()
      await other.getByText('paused', { exact: true }).waitFor()
      const before = started
      await sendOverride('S106 radiator valve')
      await eventually(async () =>
        assert.equal((await listCommands('S106 radiator valve'))[0]?.['state'], 'CONFIRMED'),
      )
      assert.equal(started, before)
      assert.equal(await other.getByText('S106 radiator valve').filter({ visible: true }).count(), 0)
      await other.getByRole('button', { name: 'Resume' }).click()
      await other
        .getByRole('table')
        .locator('tbody tr', { hasText: 'S106 radiator valve' })
        .getByText('Override confirmed')
        .waitFor()
      await other.close()
    })

    test('is filtered by device', async () => {
      const { deviceUuid } = findDevice('S105 radiator valve')
      await open(`/console/${siteId}/events`)
      await page.getByLabel('Device', { exact: true }).selectOption(asString(deviceUuid))
      await eventually(async () => {
        const texts = await page.getByRole('table').locator('tbody td:nth-child(2)').allInnerTexts()
        assert.ok(texts.length > 0)
        assert.ok(texts.every((text) => text === 'S105 radiator valve'))
      })
      assert.equal(new URL(page.url()).search, `?device=${asString(deviceUuid)}`)
    })
  })

  describe('a webhook', () => {
    let receiver: Receiver
    before(async () => {
      receiver = await startReceiver({
        respond: (_request, response) => void response.end('received <b>it</b>'),
      })
    })
    after(() => receiver[Symbol.asyncDispose]())

    const dialog = (): Locator => page.getByRole('dialog')

    test('is added, tested, receives a delivery, and receives it again', async () => {
      await open('/console/webhooks')
      await page.getByRole('button', { name: 'Add a webhook' }).click()
      await dialog().getByRole('button', { name: 'Add the webhook', exact: true }).click()
      await dialog().getByText('Enter an address that begins with https://.').waitFor()
      await dialog().getByLabel('Address').fill(receiver.url)
      await dialog().getByLabel('All types of events').uncheck()
      await dialog().getByRole('checkbox', { name: 'command.updated' }).check()
      await dialog().getByRole('button', { name: 'Add the webhook', exact: true }).click()
      const secret = await dialog().locator('.secret code').innerText()
      assert.match(secret, /^whsec_/)
      // Neither Escape nor a click beside it loses the secret.
      await page.keyboard.press('Escape')
      await page.mouse.click(5, 5)
      await dialog().getByRole('button', { name: 'I have stored the secret' }).click()

      await page.getByRole('heading', { level: 1, name: new URL(receiver.url).host }).waitFor()
      assert.ok(!(await page.locator('body').innerText()).includes(secret))
      const test_ = page.getByRole('region', { name: 'Test', exact: true })
      await test_.getByRole('button', { name: 'Send a test' }).click()
      await test_.getByText('Status 200').waitFor()
      await test_.getByText('received <b>it</b>').waitFor()
      assert.equal(receiver.requests[0]?.event['type'], 'webhook.test')

      await sendOverride('S201 radiator valve')
      await eventually(async () =>
        assert.ok(
          receiver.requests.some(
            ({ event }) => asObject(asObject(event['data'])['command'] ?? {})['state'] === 'CONFIRMED',
          ),
        ),
      )
      const deliveries = page.getByRole('region', { name: 'Deliveries', exact: true })
      await eventually(async () => {
        await deliveries.getByRole('button', { name: 'Refresh' }).click()
        assert.ok((await deliveries.locator('tbody tr', { hasText: 'delivered' }).count()) >= 4)
      })
      await deliveries.getByRole('button', { name: 'Show', exact: true }).first().click()
      await deliveries.getByText('received <b>it</b>').waitFor()
      const sent = receiver.requests.length
      await deliveries.getByRole('button', { name: 'Send it again' }).click()
      await eventually(async () => assert.ok(receiver.requests.length > sent))
      const again = receiver.requests.at(-1)
      assert.equal(receiver.requests.filter(({ id }) => id === again?.id).length, 2)

      const replay = page.getByRole('region', { name: 'Replay', exact: true })
      await replay.getByRole('button', { name: 'Send again' }).click()
      await replay.getByText('No event matches.').waitFor()
      await replay.getByLabel('Only events whose delivery failed').uncheck()
      await replay.getByRole('button', { name: 'Send again' }).click()
      await replay.getByText(/^\d+ events will be sent again\.$/).waitFor()
      await eventually(async () =>
        assert.equal(receiver.requests.filter(({ id }) => id === again?.id).length, 3),
      )
    })

    test('is paused, resumed and changed; its secret is rotated; it is removed', async () => {
      await open('/console/webhooks')
      await page.getByRole('link', { name: receiver.url }).click()
      const facts = page.getByRole('region', { name: 'Webhook', exact: true })
      await page.getByRole('button', { name: 'Pause' }).click()
      await facts.getByText('paused', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Resume' }).click()
      await facts.getByText('enabled', { exact: true }).waitFor()

      await page.getByRole('button', { name: 'Change' }).click()
      await dialog().getByLabel('Note').fill('For the test')
      const change = page.waitForRequest((request) => request.method() === 'PATCH')
      await dialog().getByRole('button', { name: 'Save', exact: true }).click()
      assert.deepEqual((await change).postDataJSON(), { description: 'For the test' })
      await page.getByText('For the test').first().waitFor()

      await page.getByRole('button', { name: 'Rotate the secret', exact: true }).click()
      await dialog().getByRole('button', { name: 'Make a new secret' }).click()
      assert.match(await dialog().locator('.secret code').innerText(), /^whsec_/)
      await dialog().getByText('also carry a signature of the previous secret').waitFor()
      await dialog().getByRole('button', { name: 'I have stored the secret' }).click()

      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await dialog().getByRole('button', { name: 'Remove the webhook', exact: true }).click()
      await page.getByText('No webhook yet').waitFor()
      assert.deepEqual(await demo.client.list('/webhooks'), [])
    })
  })

  test('nothing was requested from another host, and nothing was reported', () =>
    page.assertNoForeignRequests())
})

/** Records the announcements of live regions from now on. */
const recordAnnouncements = (page: Page): Promise<void> =>
  page.evaluate(`
    window.said = []
    new MutationObserver(() => {
      for (const region of document.querySelectorAll('[role=status]')) window.said.push(region.textContent)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  `)

const listAnnouncements = (page: Page): Promise<string> => page.evaluate(`window.said.join('\\n')`)
