import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addSecret } from '../support/clients/operator.ts'
import { api, goodParameters, requestToken, tokenFor } from '../support/clients/requests.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject } from '../support/json.ts'
import { applyInventory } from '../support/servers/installation.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { press, tabTo, visit, whenLoaded } from './console-page.ts'
import { type OperatorConsole, parseSettings, startOperatorConsole } from './operator-console.ts'

describe('the console of an operator', { skip: skipWithout(testTools.chromium) }, () => {
  let setup: OperatorConsole
  const house = makeSmallSite({ siteName: 'House' })
  const mill = makeSmallSite({ siteName: 'Mill' })
  before(async () => {
    setup = await startOperatorConsole()
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
    await press(dialog, 'Close')
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
    await secrets.getByRole('alert').getByText('The request failed').waitFor()
  })

  test('the audit log is filtered, and the filters are part of the address', async () => {
    await setup.addPartner({ name: 'Audited', sites: [] })
    const page = await setup.open('/console/operator/audit')
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
