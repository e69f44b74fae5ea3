import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { requestConsoleToken, signIn } from '../support/clients/console.ts'
import { addSecret } from '../support/clients/operator.ts'
import { api, goodParameters, requestToken, tokenFor } from '../support/clients/requests.ts'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject } from '../support/json.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { addWebhook, getWebhook, LOOPBACK } from '../support/webhooks/webhooks.ts'
import { press, tabTo, visit, whenLoaded } from './console-page.ts'
import { type OperatorConsole, parseSettings, startOperatorConsole } from './operator-console.ts'

describe('the console of an operator', { skip: skipWithout(testTools.chromium) }, () => {
  let setup: OperatorConsole
  const house = makeSmallSite({ siteName: 'House' })
  const mill = makeSmallSite({ siteName: 'Mill' })
  before(async () => {
    setup = await startOperatorConsole('Platform team', LOOPBACK)
    await applyInventory(setup.installation, house.document)
    await applyInventory(setup.installation, mill.document)
  })
  after(() => setup.stop())

  test('a partner is added by keyboard alone, and the credentials that are shown once obtain a token', async () => {
    const page = await setup.open('/console/operator/partners')
    const { keyboard } = page
    await tabTo(page, page.getByRole('link', { name: 'Add a partner' }))
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Add a partner', level: 1 }).waitFor()
    await tabTo(page, page.getByLabel('Name'))
    await keyboard.type('Residents’ app')
    await tabTo(page, page.getByLabel('Events.Read'))
    await keyboard.press('Space')
    await tabTo(page, page.getByLabel('House'))
    await keyboard.press('Space')
    await tabTo(page, page.getByRole('button', { name: 'Add the partner' }))
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Credentials of Residents’ app' })
    const settings = parseSettings(await dialog.locator('pre').innerText())
    assert.deepEqual(
      [...settings.keys()],
      [
        'PORTICO_BASE_URL',
        'PORTICO_AUTH_URL',
        'PORTICO_CLIENT_ID',
        'PORTICO_CLIENT_SECRET',
        'PORTICO_SITE_ID',
      ],
    )
    assert.equal(settings.get('PORTICO_SITE_ID'), house.siteUuid)
    const [clientId, secret] = [settings.get('PORTICO_CLIENT_ID'), settings.get('PORTICO_CLIENT_SECRET')]
    const token = await tokenFor(setup.installation.portico, clientId ?? '', secret ?? '')
    const { json } = await api(setup.installation.portico, '/v2/account', { token })
    assert.deepEqual(new Set(asArray(json['roles'])), new Set(['Spaces.Read', 'Devices.Read', 'Events.Read']))

    const download = page.waitForEvent('download')
    await tabTo(page, dialog.getByRole('button', { name: 'Download portico.env' }))
    await keyboard.press('Enter')
    assert.equal((await download).suggestedFilename(), 'portico.env')

    // A stray key does not close what cannot be shown again.
    await keyboard.press('Escape')
    assert.ok(await dialog.isVisible())
    await tabTo(page, dialog.getByRole('button', { name: 'I have stored them' }))
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Residents’ app', level: 1 }).waitFor()
    await whenLoaded(page)
    assert.ok(!(await page.content()).includes(secret ?? ''), 'the secret is shown once')
    await page.reload()
    await whenLoaded(page)
    assert.ok(!(await page.content()).includes(secret ?? ''), 'the secret is shown once')
    page.assertNoForeignRequests()
  })

  test('access to a site is granted and revoked, each time with the call that does it', async () => {
    const partner = await setup.addPartner({ name: 'Energy adviser', sites: [house.siteUuid] })
    const page = await setup.open(`/console/operator/partners/${partner.partnerUuid}`)
    const sites = page.getByRole('region', { name: 'Sites', exact: true })
    await sites.getByLabel('Grant a site').selectOption({ label: 'Mill' })
    await press(sites, 'Show the call: Grant a site')
    const shown = page.getByRole('dialog', { name: 'The call' })
    const code = await shown.locator('pre').innerText()
    assert.match(code, new RegExp(`^curl -X PATCH '.*/operator/partners/${partner.partnerUuid}'`))
    assert.ok(code.includes(mill.siteUuid))
    assert.match(code, /Bearer \$TOKEN/)
    await press(shown, 'Close')
    await press(sites, 'Grant')
    await page.getByRole('status').getByText('Mill is granted.').waitFor()
    assert.deepEqual(
      new Set(asArray((await setup.read(`/partners/${partner.partnerUuid}`))['sites'])),
      new Set([house.siteUuid, mill.siteUuid]),
    )

    await press(sites, 'Revoke: House')
    const dialog = page.getByRole('dialog', { name: 'Revoke access to House?' })
    await press(dialog, 'Cancel')
    assert.equal(asArray((await setup.read(`/partners/${partner.partnerUuid}`))['sites']).length, 2)
    await press(sites, 'Revoke: House')
    await press(dialog, 'Revoke access')
    await page.getByRole('status').getByText('Access to House is revoked.').waitFor()
    assert.deepEqual((await setup.read(`/partners/${partner.partnerUuid}`))['sites'], [mill.siteUuid])
    page.assertNoForeignRequests()
  })

  test('roles, limits and the name of a partner are changed', async () => {
    const partner = await setup.addPartner({ name: 'Before', roles: ['Spaces.Read'], sites: [] })
    const page = await setup.open(`/console/operator/partners/${partner.partnerUuid}`)
    await page.getByLabel('Devices.Control').check()
    await page.getByLabel('Spaces.Read').uncheck()
    await press(page, 'Save the roles')
    const dialog = page.getByRole('dialog', { name: 'Change the roles of Before?' })
    await dialog.getByText('Grants Devices.Control').waitFor()
    await dialog.getByText('Revokes Spaces.Read').waitFor()
    await press(dialog, 'Change the roles')
    await page.getByText('The roles are changed.').waitFor()
    await page.getByLabel('Requests a minute and site').fill('120')
    await press(page, 'Save the limits')
    await page.getByText('The limits are saved.').waitFor()
    await page.getByLabel('Name').fill('After')
    await press(page, 'Rename')
    await page.getByRole('heading', { name: 'After', level: 1 }).waitFor()
    const { name, roles, rateLimits } = await setup.read(`/partners/${partner.partnerUuid}`)
    assert.deepEqual(
      { name, roles, rateLimits },
      { name: 'After', roles: ['Devices.Control'], rateLimits: { perMinute: 120 } },
    )
  })

  test('a secret is replaced with an overlap', async () => {
    const partner = await setup.addPartner({ name: 'Rotating', sites: [] })
    const page = await setup.open(`/console/operator/partners/${partner.partnerUuid}`)
    await press(page, 'Add a secret')
    const dialog = page.getByRole('dialog', { name: 'New secret of Rotating' })
    const settings = parseSettings(await dialog.locator('pre').innerText())
    const clientSecret = settings.get('PORTICO_CLIENT_SECRET') ?? ''
    await press(dialog, 'I have stored them')
    await page.getByText('Wait until the partner uses the new one').waitFor()
    for (const secret of [partner.clientSecret, clientSecret])
      await tokenFor(setup.installation.portico, partner.clientId, secret)
    const hint = partner.clientSecret.slice(0, 3)
    await page
      .getByRole('button', { name: `Remove: the secret ${hint}` })
      .first()
      .click()
    await press(page, 'Remove the secret')
    await page.getByText('The secret is removed.').waitFor()
    const { status } = await requestToken(
      setup.installation.portico,
      goodParameters(partner.clientId, partner.clientSecret),
    )
    assert.equal(status, 401)
    await tokenFor(setup.installation.portico, partner.clientId, clientSecret)
  })

  test('a partner is disabled after a question, and enabled again', async () => {
    const partner = await setup.addPartner({ name: 'Misbehaving', sites: [] })
    const page = await setup.open(`/console/operator/partners/${partner.partnerUuid}`)
    await press(page, 'Disable')
    await press(page, 'Disable the partner')
    await page.getByText('The partner is disabled.').waitFor()
    assert.equal((await setup.read(`/partners/${partner.partnerUuid}`))['enabled'], false)
    await press(page, 'Enable')
    await press(page, 'Enable the partner')
    await page.getByText('The partner is enabled.').waitFor()
    assert.equal((await setup.read(`/partners/${partner.partnerUuid}`))['enabled'], true)
  })

  test('an error of the server is shown beside the change that caused it', async () => {
    const partner = await setup.addPartner({ name: 'Collector', sites: [] })
    for (let count = 1; count < 5; count++)
      await addSecret(setup.installation.portico, setup.installation.operator, partner.partnerUuid)
    const page = await setup.open(`/console/operator/partners/${partner.partnerUuid}`)
    const secrets = page.getByRole('region', { name: 'Secrets', exact: true })
    await press(secrets, 'Add a secret')
    await secrets.getByRole('alert').getByText('Not possible in the present state').waitFor()
  })

  test('the audit log is filtered, and the filters are part of the address', async () => {
    await setup.addPartner({ name: 'Audited', sites: [] })
    const page = await setup.open('/console/operator/audit')
    await page.getByLabel('Action').selectOption('partner.added')
    const rows = page.getByRole('table').locator('tbody tr')
    const actions = async (): Promise<string[]> =>
      page.getByRole('table').locator('tbody td:nth-of-type(1)').allInnerTexts()
    await eventually(async () => assert.deepEqual([...new Set(await actions())], ['partner.added']))
    assert.match(page.url(), /\?action=partner\.added$/)
    await page.reload()
    await whenLoaded(page)
    assert.deepEqual([...new Set(await actions())], ['partner.added'])
    const search = page.waitForResponse((response) => response.url().includes('search=Audited'))
    await page.getByLabel('Anywhere in the entry').fill('Audited')
    const { search: query } = new URL((await search).url())
    assert.match(query, /action=partner\.added/)
    await page.waitForURL(/search=Audited/)
    await eventually(async () => assert.equal(await rows.count(), 1))
    await press(page, 'Show')
    await page.locator('tr.detail').getByText('"name": "Audited"').waitFor()
  })

  test('a session is ended, and its browser has to sign in again', async () => {
    const { portico } = setup.installation
    const partner = await setup.addPartner({ name: 'Guest', sites: [] })
    const cookie = await signIn(portico, partner)
    const page = await setup.open('/console/operator/sessions')
    await press(page.getByRole('row', { name: /Guest/ }), 'End: the session of Guest from 127.0.0.1')
    await press(page, 'End the session')
    await page.getByText('The session has ended.').waitFor()
    await page.getByRole('row', { name: /Guest/ }).waitFor({ state: 'detached' })
    await eventually(async () => assert.equal((await requestConsoleToken(portico, cookie)).status, 401))
  })

  test('the token that came with the page is in memory only', async () => {
    const page = await setup.open('/console/operator')
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.reload()
    await whenLoaded(page)
    assert.ok(requests.includes('/operator/health'))
    assert.ok(!requests.includes('/console/token'), 'the page has the first token')
    const found = await page.evaluate(
      `[document.querySelector('#page-data') === null, document.documentElement.outerHTML.includes('accessToken'),
        localStorage.length, sessionStorage.length, document.cookie]`,
    )
    assert.deepEqual(found, [true, false, 0, 0, ''])
  })

  test('without a connection, a change fails with a message, and nothing that was entered is lost', async () => {
    const page = await setup.open('/console/operator/partners/new')
    await page.getByLabel('Name', { exact: true }).fill('Written offline')
    await page.context().setOffline(true)
    await page.locator('main form button[type=submit]').click()
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Written offline')
    await page.context().setOffline(false)
    await page.locator('main form button[type=submit]').click()
    await page.getByText('CLIENT_SECRET').first().waitFor()
  })

  test('a change that contradicts one made meanwhile says so, and the present state can be shown', async () => {
    const { portico, operator } = setup.installation
    const partner = await setup.addPartner({ name: 'Changed twice', sites: [] })
    const secretsPath = `/operator/partners/${partner.partnerUuid}/secrets`
    const page = await setup.open(`/console/operator/partners/${partner.partnerUuid}`)
    const panel = page.getByRole('region', { name: 'Secrets', exact: true })
    const rows = panel.getByRole('table', { name: 'Secrets' }).locator('tbody tr')
    await rows.first().waitFor()
    const added: string[] = []
    for (let count = 0; count < 4; count += 1) {
      const answer = await api(portico, secretsPath, { method: 'POST', token: operator, body: {} })
      assert.equal(answer.status, 201, answer.text)
      added.push(String(answer.json['secretId']))
    }
    assert.equal(await rows.count(), 1)
    await panel.getByLabel('Days until it expires').fill('30')
    await press(panel, 'Add a secret')
    const note = panel.getByRole('alert')
    await note.getByText('Not possible in the present state').waitFor()
    await note.getByText('A partner has at most 5 live secrets; remove one first.').waitFor()
    await press(note, 'Show the present state')
    await rows.nth(4).waitFor()
    assert.equal(await panel.getByLabel('Days until it expires').inputValue(), '30')

    // Another operator removes the secret that this one is about to remove.
    const [last = ''] = added.slice(-1)
    const hint = asArray((await setup.read(`/partners/${partner.partnerUuid}`))['secrets'])
      .map(asObject)
      .find(({ secretId }) => secretId === last)?.['hint']
    await press(rows, `Remove: the secret ${String(hint)}…`)
    const dialog = page.getByRole('dialog', { name: `Remove the secret ${String(hint)}…?` })
    const removed = await api(portico, `${secretsPath}/${last}`, { method: 'DELETE', token: operator })
    assert.equal(removed.status, 204)
    await press(dialog, 'Remove the secret')
    await dialog.getByText('Not found').waitFor()
    await press(dialog, 'Show the present state')
    await dialog.waitFor({ state: 'detached' })
    await rows.nth(4).waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 4)
    await press(panel, 'Add a secret')
    await page.getByText('CLIENT_SECRET').first().waitFor()
  })

  test('the end of a version 1 endpoint is set and shown', async () => {
    const page = await setup.open('/console/operator/v1')
    const row = page.getByRole('row', { name: /\/tenant\/logo/ })
    await press(row, 'Edit')
    const form = page.locator('.endpoint-form')
    await form.getByLabel('Sunset').fill('2031-03-31')
    await press(form, 'Add a blackout')
    await form.getByLabel('From (1)').fill('2031-02-01T09:00')
    await form.getByLabel('To (1)').fill('2031-02-01T10:00')
    await press(form, 'Save: /tenant/logo')
    await press(page, 'Change the dates')
    await page.getByText('The dates of /tenant/logo are changed.').waitFor()
    await row.getByText('31 Mar 2031').waitFor()
    const { portico, operator } = setup.installation
    const { text } = await api(portico, '/operator/v1/lifecycle', { token: operator })
    const logo = asArray(JSON.parse(text))
      .map(asObject)
      .find(({ path }) => path === '/tenant/logo')
    assert.equal(logo?.['sunsetAt'], '2031-03-31T00:00:00.000Z')
    assert.deepEqual(logo['blackouts'], [
      { from: '2031-02-01T09:00:00.000Z', to: '2031-02-01T10:00:00.000Z' },
    ])
  })

  test('the calls to version 1 are shown by day, for all partners and for one', async () => {
    const { portico } = setup.installation
    const partner = await setup.addPartner({ name: 'Counted', sites: [house.siteUuid] })
    const token = await tokenFor(portico, partner.clientId, partner.clientSecret)
    for (let call = 0; call < 3; call += 1)
      await api(portico, '/v1/tenant/logo', { token, headers: { SiteId: house.siteUuid } })
    const page = await setup.open('/console/operator/v1')
    const pages = [
      ['/console/operator/v1', '/migration/days'],
      [
        `/console/operator/partners/${partner.partnerUuid}`,
        `/migration/days?partnerUuid=${partner.partnerUuid}`,
      ],
    ] as const
    for (const [path, call] of pages) {
      await visit(page, portico, path)
      const figure = page.locator('figure').filter({ has: page.getByText('Calls', { exact: true }) })
      await figure.getByText('As a table').click()
      await figure.locator('tbody tr').first().waitFor()
      const shown = await figure
        .locator('tbody tr td.chart-number data')
        .evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('value'))))
      const days = asArray((await setup.read(call))['data']).map(asObject)
      assert.deepEqual(
        shown,
        days.map(({ calls }) => calls),
      )
      assert.ok(shown.reduce((sum, calls) => sum + calls) >= 3)
    }
    const answered = page.waitForResponse((response) => response.url().endsWith('/operator/health'))
    await visit(page, portico, '/console/operator')
    const overview = asObject(asObject(await (await answered).json())['v1'])
    const figure = page.locator('.figures > div').filter({ hasText: 'Calls to version 1' })
    assert.ok((await figure.innerText()).includes(String(overview['calls'])))
    page.assertNoForeignRequests()
  })

  test('dates of several version 1 endpoints are set together, after a rehearsal that names who calls them', async () => {
    const { portico, operator } = setup.installation
    const partner = await setup.addPartner({ name: 'Slow to move', sites: [house.siteUuid] })
    const token = await tokenFor(portico, partner.clientId, partner.clientSecret)
    await api(portico, '/v1/tenant/logo', { token, headers: { SiteId: house.siteUuid } })
    const called = (await setup.read('/migration'))['data']
    assert.match(JSON.stringify(called), /Slow to move/)

    const page = await setup.open('/console/operator/v1')
    const rehearsal = page.getByRole('region', { name: 'Rehearsal', exact: true })
    await rehearsal.getByRole('link', { name: 'Slow to move' }).waitFor()
    await rehearsal.getByLabel('What ends').selectOption('replaced')
    await rehearsal.getByText('No partner would have been affected').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('end'), 'replaced')

    const bulk = page.getByRole('region', { name: 'Set dates of several endpoints', exact: true })
    await bulk.getByLabel('Endpoints', { exact: true }).selectOption('retiring')
    await bulk.getByLabel('Deprecated from', { exact: true }).fill('2032-01-01')
    await bulk.getByLabel('Sunset', { exact: true }).fill('2031-12-31')
    await bulk.getByText('An endpoint cannot end before it is deprecated.').waitFor()
    assert.ok(await bulk.getByRole('button', { name: 'Set the dates', exact: true }).isDisabled())
    await bulk.getByLabel('Sunset', { exact: true }).fill('2032-12-31')
    await press(bulk, 'Set the dates')
    const dialog = page.getByRole('dialog', { name: /^Set the dates of \d+ endpoints\?$/ })
    await dialog.getByText('Slow to move').waitFor()
    await press(dialog, 'Set the dates')
    await page.getByText(/^The dates of \d+ endpoints are set\.$/).waitFor()
    const { text } = await api(portico, '/operator/v1/lifecycle', { token: operator })
    const endpoints = asArray(JSON.parse(text)).map(asObject)
    for (const { state, sunsetAt, path } of endpoints)
      assert.equal(sunsetAt === '2032-12-31T00:00:00.000Z', state === 'retiring', String(path))
  })

  test('a webhook of a partner is disabled and enabled, and found by its state', async () => {
    const client = await addClient(setup.installation, [house.siteUuid])
    const url = 'https://127.0.0.1:9/hook'
    const { webhookUuid } = await addWebhook(client, url)
    const page = await setup.open('/console/operator/webhooks')
    await press(page, `Disable: ${url}`)
    const question = page.getByRole('dialog', { name: 'Disable this webhook?' })
    await press(question, 'Cancel')
    assert.equal((await getWebhook(client, webhookUuid))['state'], 'enabled')
    await press(page, `Disable: ${url}`)
    await press(question, 'Disable the webhook')
    await page.getByRole('status').getByText('The webhook is disabled.').waitFor()
    const { state, reason } = await getWebhook(client, webhookUuid)
    assert.deepEqual([state, reason], ['disabled', 'operator'])

    await page.getByLabel('State').selectOption('enabled')
    await page.getByText('No webhook', { exact: true }).waitFor()
    await page.getByLabel('State').selectOption('disabled')
    await page.reload()
    await whenLoaded(page)
    await press(page, `Enable: ${url}`)
    await press(page.getByRole('dialog', { name: 'Enable this webhook?' }), 'Enable the webhook')
    await page.getByRole('status').getByText('The webhook is enabled.').waitFor()
    assert.equal((await getWebhook(client, webhookUuid))['state'], 'enabled')
  })

  test('the signing key is rotated after a question', async () => {
    const page = await setup.open('/console/operator/keys')
    const before = asArray((await setup.read('/keys'))['data']).length
    await press(page, 'Rotate')
    await press(page, 'Rotate the key')
    await page.getByRole('status').getByText('New tokens are signed with').waitFor()
    assert.equal(asArray((await setup.read('/keys'))['data']).length, before + 1)
    await visit(page, setup.installation.portico, '/console/operator/partners')
    await page.getByRole('link', { name: 'Platform team' }).waitFor()
  })
})
