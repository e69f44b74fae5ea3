import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchBrowser, type WatchedPage } from '../pages/browser.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import {
  assertAccessible,
  assertFits,
  assertShowsCalls,
  openConsole,
  tabTo,
  visit,
  whenLoaded,
} from './console-page.ts'

const { portico, client } = await shareDemo()
const siteId = portico.demoEnv.SITE_ID
const credentials = { clientId: portico.demoEnv.CLIENT_ID, clientSecret: portico.demoEnv.CLIENT_SECRET }
const spaces = await client.list('/spaces')

/** The identifier of a space of the demo by its name. */
const findSpace = (name: string): string =>
  asString(spaces.find(({ spaceName }) => spaceName === name)?.['spaceUuid'])

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** A week that is over: its numbers do not change while a test runs. */
const week = { before: dayBefore(16), from: dayBefore(9), to: dayBefore(3), end: dayBefore(2) }

const cellsOf = (table: Locator): Promise<string[][]> =>
  table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children].map((cell) => (cell as { textContent?: string }).textContent ?? ''),
      ),
    )

/** A number as the table below a chart has it; empty without data. */
const toText = (value: unknown): string => (typeof value === 'number' ? String(value) : '')

const toNumber = (text: string): number => Number(text.split(' ', 1)[0]?.replaceAll(',', ''))

/** The response that the page gets to a request whose address contains a text. */
async function answerOf(page: Page, part: string, act: () => Promise<unknown>): Promise<JsonObject> {
  const answer = page.waitForResponse(
    (response) => response.url().includes(part) && response.status() === 200,
  )
  await act()
  return asObject(await (await answer).json())
}

describe('pages of a partner', { skip: skipWithout(testTools.chromium) }, () => {
  let browser: Browser
  let page: WatchedPage
  before(async () => {
    browser = await launchBrowser()
    // Far from the zone of the site: nothing may depend on the zone of the browser.
    page = await openConsole(browser, portico, credentials, '/console', { timezoneId: 'Pacific/Auckland' })
  })
  after(() => browser.close())

  const open = (path: string): Promise<void> => visit(page, portico, path)
  const spacesPath = `/console/${siteId}/spaces`

  describe('the overview', () => {
    test('shows sites, limits, secrets and roles of the account', async () => {
      await open('/console')
      const account = await client.get('/account')
      const [site = {}] = asArray(account['sites']).map(asObject)
      const row = page.getByRole('table', { name: 'Sites' }).locator('tbody tr')
      const text = await row.innerText()
      for (const part of [site['siteName'], site['timeZone'], site['siteUuid'], 'sandbox'])
        assert.ok(text.includes(String(part)), `${String(part)} in ${text}`)
      const figures = await page.locator('.figures').innerText()
      assert.ok(figures.includes(String(asObject(account['rateLimits'])['perMinute'])), figures)
      for (const role of asArray(account['roles']))
        await page.locator('.roles').getByText(String(role), { exact: true }).waitFor()
      const [secret = {}] = asArray(account['secrets']).map(asObject)
      await page
        .getByRole('table', { name: 'Secrets' })
        .getByText(`${asString(secret['hint'])}…`)
        .waitFor()
    })

    test('leads to the spaces of a site', async () => {
      await open('/console')
      await page.getByRole('table', { name: 'Sites' }).getByRole('link').first().click()
      await page.getByRole('heading', { level: 1, name: 'Spaces' }).waitFor()
      assert.equal(new URL(page.url()).pathname, spacesPath)
    })
  })

  describe('the table of spaces', () => {
    const table = (): Locator => page.getByRole('table', { name: 'Spaces' })

    /** Waits for the sparklines of a batch. In the first minutes of a day, no series has data yet. */
    const checkSparklines = async (batch: JsonObject): Promise<void> => {
      const series = asArray(batch['series']).map(asObject)
      const withData = series.filter(({ hasData }) => hasData).length
      const [sparklines, empty] = [
        page.locator('.chart-sparkline'),
        page.getByText('no data', { exact: true }),
      ]
      await (withData > 0 ? sparklines : empty).first().waitFor()
      assert.deepEqual([await sparklines.count(), await empty.count()], [withData, series.length - withData])
    }

    test('has every space with the total and the climate of one batch answer each', async () => {
      // The page before may still send requests.
      await open('/console')
      const asked: string[] = []
      const listen = (request: { url(): string }): void => {
        asked.push(new URL(request.url()).pathname)
      }
      page.on('request', listen)
      const latest = page.waitForResponse((response) => response.url().includes('/v2/latest'))
      const batch = await answerOf(page, '/v2/aggregate/hourly', () => open(spacesPath))
      const climate = asObject(await (await latest).json())
      await checkSparklines(batch)
      page.off('request', listen)
      assert.equal(asked.filter((path) => path === '/v2/aggregate/hourly').length, 1)
      assert.equal(asked.filter((path) => path === '/v2/latest').length, 1)

      await table().getByText('°C').first().waitFor()
      const rows = await cellsOf(table())
      assert.deepEqual(
        rows.map(([name]) => name),
        spaces.map(({ spaceName }) => spaceName),
      )
      const totals = new Map(
        asArray(batch['series']).map((series) => {
          const { spaceUuid, summary } = asObject(series)
          return [spaceUuid, asObject(summary)['total']] as const
        }),
      )
      const temperatures = new Map(
        asArray(climate['data']).map((values) => {
          const { spaceUuid, environment } = asObject(values)
          const found = asArray(environment)
            .map(asObject)
            .find(({ metricType }) => metricType === 'temperature')
          return [spaceUuid, found?.['value']] as const
        }),
      )
      assert.ok(totals.size > 30 && temperatures.size > 30)
      for (const [index, { spaceUuid, spaceName }] of spaces.entries()) {
        const [total = '', temperature = ''] = rows[index]?.slice(5, 7) ?? []
        const [wanted, wantedTemperature] = [totals.get(spaceUuid), temperatures.get(spaceUuid)]
        if (typeof wanted === 'number')
          assert.ok(Math.abs(toNumber(total) - wanted) <= 0.006, asString(spaceName))
        else assert.equal(total, '–')
        const shown = temperature.replace('old ', '')
        if (typeof wantedTemperature === 'number')
          assert.ok(
            Math.abs(toNumber(shown) - wantedTemperature) <= 0.051,
            `${asString(spaceName)}: ${shown}`,
          )
        else assert.equal(shown, '–')
      }
    })

    test('has a sparkline for each space that measures the metric, and says so for the others', async () => {
      const batch = await answerOf(page, 'metricTypes=electricity', () => open(spacesPath))
      await checkSparklines(batch)
      const measured = spaces.filter(({ metricTypes }) => asArray(metricTypes).includes('electricity'))
      assert.equal(asArray(batch['series']).length, measured.length)
      assert.equal(
        await page.getByText('not measured', { exact: true }).count(),
        spaces.length - measured.length,
      )
    })

    test('is filtered by name, type, building and floor, in the address', async () => {
      await open(spacesPath)
      await page.getByLabel('Name').fill('kitchen')
      await page.getByRole('heading', { name: '8 spaces' }).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('search'), 'kitchen')
      const named = (await cellsOf(table())).map(([name = '']) => name)
      assert.ok(named.every((name) => name.endsWith('Kitchen')))

      await page.getByLabel('Building').selectOption({ label: 'Saddler House' })
      await page.getByLabel('Type').selectOption('livingKitchenDining')
      await page.getByLabel('Floor').fill('2')
      await page.keyboard.press('Tab')
      await page.getByRole('heading', { name: '1 space' }).waitFor()
      assert.deepEqual(
        (await cellsOf(table())).map(([name]) => name),
        ['S2A Kitchen'],
      )
      await page.reload()
      await page.getByRole('heading', { name: '1 space' }).waitFor()

      await page.getByLabel('Floor').fill('7')
      await page.keyboard.press('Tab')
      await page.getByText('No space matches the filters').waitFor()
      await page.getByRole('button', { name: 'Clear the filters' }).click()
      await page.getByRole('heading', { name: `${spaces.length} spaces` }).waitFor()
      assert.equal(await page.getByLabel('Name').inputValue(), '')
    })

    test('shows another metric', async () => {
      const batch = await answerOf(page, 'metricTypes=water', () => open(`${spacesPath}?metric=water`))
      await page.getByRole('columnheader', { name: 'Water today' }).waitFor()
      await checkSparklines(batch)
    })
  })

  describe('a space', () => {
    const kitchen = findSpace('W1B Kitchen')
    const weekPath = `${spacesPath}/${kitchen}?range=custom&from=${week.from}&to=${week.to}`
    const panel = (name: string): Locator => page.getByRole('region', { name, exact: true })
    const chart = (title: string): Locator =>
      page
        .locator('figure')
        .filter({ has: page.locator('.chart-title', { hasText: new RegExp(`^${title}$`) }) })

    /** The windows of a space from a single read. */
    const read = async (metric: string, query: string): Promise<JsonObject[]> => {
      const series = await client.get(`/spaces/${kitchen}/aggregate/${metric}/${query}`)
      return asArray(series['timeSeries']).map(asObject)
    }

    /** Timestamps and numbers of the table below a chart. */
    const tableOf = async (figure: Locator): Promise<{ timestamp: string; numbers: string[] }[]> => {
      await figure.getByText('As a table').click()
      await figure.locator('tbody tr').first().waitFor()
      return figure.locator('tbody tr').evaluateAll((rows) =>
        rows.map((row) => ({
          timestamp: row.querySelector('time')?.getAttribute('datetime') ?? '',
          numbers: [...row.querySelectorAll('td.chart-number')].map(
            (cell) => cell.querySelector('data')?.getAttribute('value') ?? '',
          ),
        })),
      )
    }

    test('has its facts, and its consumption as the overview answers it', async () => {
      const overview = await answerOf(page, '/overview', () => open(`${spacesPath}/${kitchen}`))
      await page.getByRole('heading', { level: 1, name: 'W1B Kitchen' }).waitFor()
      const facts = await panel('About this space').innerText()
      for (const part of ['Weaver House', 'Flat W1B', 'Europe/London', kitchen])
        assert.ok(facts.includes(part), part)
      const figures = page.locator('.figures > div')
      for (const value of asArray(overview['utilities']).map(asObject)) {
        if (value['metricType'] !== 'electricity') continue
        const text = await figures.filter({ hasText: /^Electricity today/ }).innerText()
        const [, shown = ''] = text.split('\n')
        // At the beginning of the day.
        if (value['today'] === null) {
          assert.equal(shown, '–')
          continue
        }
        const today = Number(value['today'])
        // Rounded to four digits.
        assert.ok(Math.abs(toNumber(shown) - today) <= 0.0006 * today, `${shown}, not ${today}`)
      }
    })

    test('draws the consumption of a range, with a table that equals the answer', async () => {
      await open(weekPath)
      for (const [metric, title] of [
        ['electricity', 'Electricity'],
        ['heating', 'Heating'],
      ] as const) {
        const windows = await read(metric, `hourly?fromDateTime=${week.from}&toDateTime=${week.end}`)
        assert.ok(windows.length >= 167)
        const rows = await tableOf(panel('Consumption').locator(chart(title)))
        assert.deepEqual(
          rows.map(({ timestamp, numbers }) => [timestamp, numbers[0]]),
          windows.map(({ timestamp, value }) => [timestamp, toText(value)]),
        )
      }
    })

    test('draws the period before behind it', async () => {
      await open(weekPath)
      const windows = await read('electricity', `hourly?fromDateTime=${week.before}&toDateTime=${week.from}`)
      await panel('Consumption').getByText('Period before').first().waitFor()
      const rows = await tableOf(panel('Consumption').locator(chart('Electricity')))
      assert.deepEqual(
        rows.map(({ numbers }) => numbers[1]).slice(0, windows.length),
        windows.map(({ value }) => toText(value)).slice(0, rows.length),
      )
      await page.getByRole('checkbox', { name: 'Period before' }).uncheck()
      assert.equal(new URL(page.url()).searchParams.get('previous'), 'off')
      await page.reload()
      await whenLoaded(page)
      const alone = await tableOf(panel('Consumption').locator(chart('Electricity')))
      assert.equal(alone[0]?.numbers.length, 1)
    })

    test('draws the climate with its lowest and highest values', async () => {
      await open(`${weekPath}&previous=off`)
      const windows = await read('temperature', `hourly?fromDateTime=${week.from}&toDateTime=${week.end}`)
      const rows = await tableOf(panel('Climate').locator(chart('Temperature')))
      assert.deepEqual(
        rows.map(({ numbers }) => numbers),
        windows.map(({ value, min, max }) => [value, min, max].map(toText)),
      )
    })

    test('has a calendar of a year of days', async () => {
      const year = await answerOf(page, '/electricity/daily', () => open(`${spacesPath}/${kitchen}`))
      const days = asArray(year['timeSeries']).map(asObject)
      assert.equal(days.length, 365)
      const rows = await tableOf(panel('A year by day').locator('figure'))
      assert.deepEqual(
        rows.map(({ numbers }) => numbers[0]),
        days.map(({ value }) => toText(value)),
      )
    })

    test('offers each series as CSV, which is the answer of the API', async () => {
      await open(weekPath)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download Electricity as CSV' }).click()
      const file = await download
      assert.equal(file.suggestedFilename(), `w1b-kitchen-electricity-${week.from}-${week.end}.csv`)
      const path = `/spaces/${kitchen}/aggregate/electricity/hourly`
      const expected = await client.send(
        `${path}?fromDateTime=${week.from}&toDateTime=${week.end}&interval=PT1H`,
        { headers: { Accept: 'text/csv' } },
      )
      assert.equal(await readFile(await file.path(), 'utf8'), expected.text)
    })

    test('is shown for its flat if only the flat has meters, and for itself on request', async () => {
      await open(`${spacesPath}/${findSpace('W3A-6')}`)
      await panel('Consumption of Flat W3A').waitFor()
      await page.getByRole('radio', { name: 'This space' }).check({ force: true })
      await page.getByText('No utility is measured in this space').waitFor()
      assert.equal(new URL(page.url()).searchParams.get('scope'), 'space')
    })

    test('lists its devices', async () => {
      await open(`${spacesPath}/${kitchen}`)
      const devices = await client.list(`/devices?spaceUuid=${kitchen}`)
      const rows = await cellsOf(page.getByRole('table', { name: 'Devices' }))
      assert.deepEqual(
        rows.map(([name]) => name),
        devices.map(({ deviceName }) => deviceName),
      )
    })

    test('that does not exist is reported, with the request to ask about', async () => {
      await open(`${spacesPath}/00000000-0000-4000-8000-000000000000`)
      await page.getByRole('alert').getByText('Not found').waitFor()
      // The browser itself reports the response of this request.
      await open('/console')
    })
  })

  test('a range is chosen with the keyboard and kept in the address', async () => {
    await open(`${spacesPath}/${findSpace('W1B Kitchen')}`)
    await tabTo(page, page.getByRole('radio', { name: '24 hours' }))
    // Seven days begin with a date, 24 hours with an instant.
    const sevenDays = page.waitForResponse(
      (response) =>
        response.url().includes('/v2/aggregate/hourly') &&
        new URL(response.url()).searchParams.get('fromDateTime')?.length === 10,
    )
    await page.keyboard.press('ArrowRight')
    const answer = asObject(await (await sevenDays).json())
    assert.ok(asArray(answer['timestamps']).length > 6 * 24)
    assert.equal(new URL(page.url()).searchParams.get('range'), '7d')
  })

  test('with the keyboard alone: find a space, move the cursor of its chart, read its table', async () => {
    await open(spacesPath)
    await tabTo(page, page.getByLabel('Name'))
    await page.keyboard.type('laundry')
    await page.getByRole('heading', { name: '1 space' }).waitFor()
    await tabTo(page, page.getByRole('link', { name: 'Laundry' }))
    await page.keyboard.press('Enter')
    const heading = page.getByRole('heading', { level: 1, name: 'Laundry' })
    await heading.waitFor()
    assert.ok(await heading.evaluate((element) => element === element.ownerDocument.activeElement))
    const figure = page.getByRole('region', { name: 'Consumption' }).locator('figure').first()
    const chart = figure.getByRole('application')
    await figure.locator('[role="application"][aria-busy="false"]').waitFor()
    await tabTo(page, chart)
    await page.keyboard.press('Home')
    const spoken = figure.getByRole('status')
    await spoken.getByText(/kWh/).waitFor()
    const first = await spoken.innerText()
    await page.keyboard.press('ArrowRight')
    await spoken.filter({ hasNotText: first }).waitFor()
    await tabTo(page, figure.getByText('As a table'))
    await page.keyboard.press('Enter')
    const row = figure.locator('tbody tr').first()
    await row.waitFor()
    const time = (await row.locator('time').innerText()).replace(/ \d{4},.*/, '')
    assert.ok(first.startsWith(time), `${first} begins with ${time}`)
  })

  test('the pages have no accessibility violations, light and dark, narrow and wide', async () => {
    const paths = [
      '/console',
      spacesPath,
      `${spacesPath}/${findSpace('W1B Kitchen')}`,
      `${spacesPath}/${findSpace('W1B Kitchen')}?range=custom&from=${week.from}&to=${week.to}`,
      '/console/migration',
      '/console/try',
    ]
    for (const path of paths) {
      await open(path)
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await assertAccessible(page)
        await assertFits(page, width)
        await assertShowsCalls(page)
      }
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 900 })
  })
})
