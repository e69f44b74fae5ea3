import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, type WatchedPage } from '../pages/browser.ts'
import { addPartner, addSecret, type NewPartner } from '../support/clients/operator.ts'
import { api, goodParameters, requestToken, tokenFor } from '../support/clients/requests.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, type JsonObject } from '../support/json.ts'
import {
  applyInventory,
  exportInventory,
  type Installation,
  startInstallation,
} from '../support/servers/installation.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { openConsole, press, tabTo, visit, whenLoaded } from './console-page.ts'

describe('the console of an operator', { skip: skipWithout(testTools.chromium) }, () => {
  let installation: Installation
  let browser: Browser
  let person: NewPartner
  const house = makeSmallSite({ siteName: 'House' })
  const mill = makeSmallSite({ siteName: 'Mill' })
  before(async () => {
    installation = await startInstallation()
    await applyInventory(installation, house.document)
    await applyInventory(installation, mill.document)
    person = await add({ name: 'Platform team', roles: ['Operator'], sites: [] })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser.close()
    await installation.stop()
  })

  const add = (body: JsonObject): Promise<NewPartner> =>
    addPartner(installation.portico, installation.operator, body)
  const open = (path: string): Promise<WatchedPage> =>
    openConsole(browser, installation.portico, person, path)
  const read = async (path: string): Promise<JsonObject> =>
    (await api(installation.portico, `/operator${path}`, { token: installation.operator })).json
  const readPartner = ({ partnerUuid }: NewPartner): Promise<JsonObject> => read(`/partners/${partnerUuid}`)

  /** The settings in a file of the form NAME=value. */
  const parseSettings = (text: string): Map<string, string> =>
    new Map(
      text
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )

  test('a partner is added by keyboard alone, and the credentials that are shown once obtain a token', async () => {
    const page = await open('/console/operator/partners')
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
    const token = await tokenFor(installation.portico, clientId ?? '', secret ?? '')
    const { json } = await api(installation.portico, '/v2/account', { token })
    assert.deepEqual(new Set(asArray(json['roles'])), new Set(['Spaces.Read', 'Devices.Read', 'Events.Read']))

    const download = page.waitForEvent('download')
    await tabTo(page, dialog.getByRole('button', { name: 'Download portico.env' }))
    await keyboard.press('Enter')
    assert.equal((await download).suggestedFilename(), 'portico.env')

    await keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Residents’ app', level: 1 }).waitFor()
    await whenLoaded(page)
    assert.ok(!(await page.content()).includes(secret ?? ''), 'the secret is shown once')
    await page.reload()
    await whenLoaded(page)
    assert.ok(!(await page.content()).includes(secret ?? ''), 'the secret is shown once')
    page.assertNoForeignRequests()
  })

  test('access to a site is granted and revoked, each time with the call that does it', async () => {
    const partner = await add({ name: 'Energy adviser', sites: [house.siteUuid] })
    const page = await open(`/console/operator/partners/${partner.partnerUuid}`)
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
      new Set(asArray((await readPartner(partner))['sites'])),
      new Set([house.siteUuid, mill.siteUuid]),
    )

    await press(sites, 'Revoke: House')
    const dialog = page.getByRole('dialog', { name: 'Revoke access to House?' })
    await press(dialog, 'Cancel')
    assert.equal(asArray((await readPartner(partner))['sites']).length, 2)
    await press(sites, 'Revoke: House')
    await press(dialog, 'Revoke access')
    await page.getByRole('status').getByText('Access to House is revoked.').waitFor()
    assert.deepEqual((await readPartner(partner))['sites'], [mill.siteUuid])
    page.assertNoForeignRequests()
  })

  test('roles, limits and the name of a partner are changed', async () => {
    const partner = await add({ name: 'Before', roles: ['Spaces.Read'], sites: [] })
    const page = await open(`/console/operator/partners/${partner.partnerUuid}`)
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
    const { name, roles, rateLimits } = await readPartner(partner)
    assert.deepEqual(
      { name, roles, rateLimits },
      { name: 'After', roles: ['Devices.Control'], rateLimits: { perMinute: 120 } },
    )
  })

  test('a secret is replaced with an overlap', async () => {
    const partner = await add({ name: 'Rotating', sites: [] })
    const page = await open(`/console/operator/partners/${partner.partnerUuid}`)
    await press(page, 'Add a secret')
    const dialog = page.getByRole('dialog', { name: 'New secret of Rotating' })
    const settings = parseSettings(await dialog.locator('pre').innerText())
    const clientSecret = settings.get('PORTICO_CLIENT_SECRET') ?? ''
    await press(dialog, 'Close')
    await page.getByText('Wait until the partner uses the new one').waitFor()
    for (const secret of [partner.clientSecret, clientSecret])
      await tokenFor(installation.portico, partner.clientId, secret)
    const hint = partner.clientSecret.slice(0, 3)
    await page
      .getByRole('button', { name: `Remove: the secret ${hint}` })
      .first()
      .click()
    await press(page, 'Remove the secret')
    await page.getByText('The secret is removed.').waitFor()
    const { status } = await requestToken(
      installation.portico,
      goodParameters(partner.clientId, partner.clientSecret),
    )
    assert.equal(status, 401)
    await tokenFor(installation.portico, partner.clientId, clientSecret)
  })

  test('a partner is disabled after a question, and enabled again', async () => {
    const partner = await add({ name: 'Misbehaving', sites: [] })
    const page = await open(`/console/operator/partners/${partner.partnerUuid}`)
    await press(page, 'Disable')
    await press(page, 'Disable the partner')
    await page.getByText('The partner is disabled.').waitFor()
    assert.equal((await readPartner(partner))['enabled'], false)
    await press(page, 'Enable')
    await press(page, 'Enable the partner')
    await page.getByText('The partner is enabled.').waitFor()
    assert.equal((await readPartner(partner))['enabled'], true)
  })

  test('an error of the server is shown beside the change that caused it', async () => {
    const partner = await add({ name: 'Collector', sites: [] })
    for (let count = 1; count < 5; count++)
      await addSecret(installation.portico, installation.operator, partner.partnerUuid)
    const page = await open(`/console/operator/partners/${partner.partnerUuid}`)
    const secrets = page.getByRole('region', { name: 'Secrets', exact: true })
    await press(secrets, 'Add a secret')
    await secrets.getByRole('alert').getByText('The request failed').waitFor()
  })

  test('the audit log is filtered, and the filters are part of the address', async () => {
    await add({ name: 'Audited', sites: [] })
    const page = await open('/console/operator/audit')
    await page.getByLabel('Action').selectOption('partner.added')
    const rows = page.getByRole('table').locator('tbody tr')
    const actions = async (): Promise<string[]> =>
      page.getByRole('table').locator('tbody td:nth-of-type(1)').allInnerTexts()
    assert.deepEqual([...new Set(await actions())], ['partner.added'])
    assert.match(page.url(), /\?action=partner\.added$/)
    await page.reload()
    await whenLoaded(page)
    assert.deepEqual([...new Set(await actions())], ['partner.added'])
    await page.getByLabel('Anywhere in the entry').fill('Audited')
    await page.waitForURL(/search=Audited/)
    assert.equal(await rows.count(), 1)
    await press(page, 'Show')
    await page.locator('tr.detail').getByText('"name": "Audited"').waitFor()
  })

  test('the end of a version 1 endpoint is set and shown', async () => {
    const page = await open('/console/operator/v1')
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
    const { portico, operator } = installation
    const { text } = await api(portico, '/operator/v1/lifecycle', { token: operator })
    const logo = asArray(JSON.parse(text))
      .map(asObject)
      .find(({ path }) => path === '/tenant/logo')
    assert.equal(logo?.['sunsetAt'], '2031-03-31T00:00:00.000Z')
    assert.deepEqual(logo['blackouts'], [
      { from: '2031-02-01T09:00:00.000Z', to: '2031-02-01T10:00:00.000Z' },
    ])
  })

  test('the signing key is rotated after a question', async () => {
    const page = await open('/console/operator/keys')
    const before = asArray((await read('/keys'))['data']).length
    await press(page, 'Rotate')
    await press(page, 'Rotate the key')
    await page.getByRole('status').getByText('New tokens are signed with').waitFor()
    assert.equal(asArray((await read('/keys'))['data']).length, before + 1)
    await visit(page, installation.portico, '/console/operator/partners')
    await page.getByRole('link', { name: 'Platform team' }).waitFor()
  })
})
