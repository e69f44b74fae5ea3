import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { WatchedPage } from '../pages/browser.ts'
import { type NewPartner, partnerRoles } from '../support/clients/operator.ts'
import { space } from '../support/fixtures/small-site.ts'
import { asArray, asObject, type JsonObject } from '../support/json.ts'
import { readSchedstat } from '../support/overload/schedstat.ts'
import { applyInventory } from '../support/servers/installation.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { openConsole, press, visit, whenLoaded } from './console-page.ts'
import { type OperatorConsole, startOperatorConsole } from './operator-console.ts'

const SITES = 500
const SPACES = 10_000

/** Rows of a table before "More". */
const ROWS = 200
/** Whatever a page shows, it stays far below what makes a browser slow, and far below its share of the rate limit. */
const MOST_ELEMENTS = 8_000
const MOST_REQUESTS = 12
/** Processor time of the server for all requests of a page. */
const MOST_SERVER_MS = 1_000

const toSite = (siteName: string): JsonObject => ({
  siteUuid: randomUUID(),
  siteName,
  timeZone: 'Europe/London',
})

const toName = (index: number): string => `Site ${String(index).padStart(3, '0')}`

/** A site with many spaces and no devices. */
function makeTower(): { siteUuid: string; document: JsonObject } {
  const buildingUuid = randomUUID()
  const spaces = Array.from({ length: SPACES }, (_, index) =>
    space(randomUUID(), 'office', {
      buildingUuid,
      spaceName: `Room ${String(index).padStart(5, '0')}`,
      floorNumber: index % 40,
    }),
  )
  const site = toSite('Tower')
  const buildings = [{ buildingUuid, buildingName: 'Tower' }]
  return { siteUuid: String(site['siteUuid']), document: { site, buildings, spaces, devices: [] } }
}

/** Opens a page and returns the addresses that it requested from the API until it was loaded. */
async function visitAndCount(page: Page, visitPage: () => Promise<void>): Promise<string[]> {
  const requests: string[] = []
  const listen = (request: { url(): string }): void => {
    const { pathname, search } = new URL(request.url())
    if (/^\/(v2|operator)\//.test(pathname)) requests.push(pathname + search)
  }
  // The page before may still be loading.
  await page.goto('about:blank')
  page.on('request', listen)
  await visitPage()
  page.off('request', listen)
  return requests
}

describe('500 sites, one of them with 10,000 spaces', { skip: skipWithout(testTools.chromium) }, () => {
  const tower = makeTower()
  const sites = Array.from({ length: SITES - 1 }, (_, index) => toSite(toName(index)))
  let operatorConsole: OperatorConsole
  let partner: NewPartner
  before(async () => {
    operatorConsole = await startOperatorConsole()
    const { installation } = operatorConsole
    await applyInventory(installation, tower.document)
    for (const site of sites)
      await applyInventory(installation, { site, buildings: [], spaces: [], devices: [] })
    partner = await operatorConsole.addPartner({
      name: 'Everywhere',
      roles: partnerRoles,
      sites: [tower.siteUuid, ...sites.map(({ siteUuid }) => String(siteUuid))],
    })
  })
  after(() => operatorConsole.stop())

  /** Opens a page and fails if it is larger than a browser can bear or asks for more than it shows. */
  async function open(page: Page, path: string): Promise<string[]> {
    const { portico } = operatorConsole.installation
    const before = readSchedstat(portico.pid).ranMs
    const requests = await visitAndCount(page, () => visit(page, portico, path))
    const serverMs = readSchedstat(portico.pid).ranMs - before
    assert.ok(serverMs <= MOST_SERVER_MS, `${path} takes ${serverMs.toFixed(0)} ms of processor time`)
    assert.ok(requests.length <= MOST_REQUESTS, `${path}: ${requests.join(' ')}`)
    await assertSmall(page)
    return requests
  }

  async function assertSmall(page: Page): Promise<void> {
    const elements = Number(await page.evaluate('document.querySelectorAll("*").length'))
    assert.ok(elements <= MOST_ELEMENTS, `${page.url()} has ${elements} elements`)
  }

  const rowsOf = (page: Page, table: string): Locator =>
    page.getByRole('table', { name: table, exact: true }).locator('tbody tr')

  /** 200 rows, 200 more on demand, and any of the others by a search. */
  async function assertPaged(
    page: Page,
    table: string,
    search: { label: string; name: string },
  ): Promise<void> {
    const rows = rowsOf(page, table)
    assert.equal(await rows.count(), ROWS)
    await press(page, 'More')
    await rows.nth(2 * ROWS - 1).waitFor()
    assert.equal(await rows.count(), 2 * ROWS)
    await assertSmall(page)
    await page.getByLabel(search.label).fill(search.name.toUpperCase())
    await rows.filter({ hasText: search.name }).waitFor()
    await rows.nth(1).waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 1)
  }

  const last = toName(SITES - 2)
  const lastUuid = String(sites.at(-1)?.['siteUuid'])

  describe('for an operator', () => {
    let page: WatchedPage
    before(async () => {
      page = await operatorConsole.open('/console/operator')
    })
    after(() => page.context().close())

    test('the overview does not ask for sites', async () => {
      const requests = await open(page, '/console/operator')
      assert.deepEqual(requests, ['/operator/health'])
    })

    test('the list of sites is paged and searched by the server', async () => {
      const requests = await open(page, '/console/operator/sites')
      assert.deepEqual(requests, [`/operator/sites?limit=${ROWS}`])
      await assertPaged(page, 'Sites', { label: 'Name or SiteId', name: last })
      await page.getByLabel('Name or SiteId').fill(tower.siteUuid)
      await rowsOf(page, 'Sites').filter({ hasText: 'Tower' }).waitFor()
      await page.getByLabel('Name or SiteId').fill('nowhere')
      await page.getByText('No site matches').waitFor()
    })

    test('the page of a site asks for that site only', async () => {
      const answer = page.waitForResponse((response) => response.url().includes('/operator/sites?'))
      await open(page, `/console/operator/sites/${lastUuid}`)
      await page.getByRole('heading', { level: 1, name: last }).waitFor()
      assert.equal(asArray(asObject(await (await answer).json())['data']).length, 1)
    })

    test('a new partner is granted a site that a search finds', async () => {
      await open(page, '/console/operator/partners/new')
      const choices = page.getByRole('group', { name: 'Sites' })
      await choices.getByText(`0 of ${SITES} chosen`).waitFor()
      assert.ok((await choices.getByRole('checkbox').count()) <= 50)
      await choices.getByLabel('Search sites').fill(last)
      await choices.getByRole('checkbox').nth(1).waitFor({ state: 'detached' })
      await choices.getByLabel(last).check()
      await choices.getByText(`1 of ${SITES} chosen`).waitFor()
      await page.getByLabel('Name', { exact: true }).fill('One site')
      await press(page, 'Add the partner')
      await page.getByRole('heading', { name: 'Credentials of One site' }).waitFor()
      const { data } = await operatorConsole.read('/partners')
      const added = asArray(data)
        .map(asObject)
        .find(({ name }) => name === 'One site')
      assert.deepEqual(added?.['sites'], [lastUuid])
    })

    test('the page of a partner with all sites shows 200 of them, then more', async () => {
      await open(page, `/console/operator/partners/${partner.partnerUuid}`)
      const rows = rowsOf(page, 'Sites of the partner')
      assert.equal(await rows.count(), ROWS)
      await press(page.getByRole('region', { name: 'Sites', exact: true }), 'More')
      await rows.nth(2 * ROWS - 1).waitFor()
    })

    test('the other pages ask for little', async () => {
      for (const name of ['commands', 'rejected', 'audit', 'webhooks', 'sessions', 'v1', 'partners'])
        await open(page, `/console/operator/${name}`)
      page.assertNoForeignRequests()
    })
  })

  describe('for a partner', () => {
    let page: WatchedPage
    before(async () => {
      const { portico } = operatorConsole.installation
      page = await openConsole(operatorConsole.browser, portico, partner, '/console')
    })
    after(() => page.context().close())

    test('the overview shows 200 sites, then more, and finds any', async () => {
      await open(page, '/console')
      await assertPaged(page, 'Sites', { label: 'Name or SiteId', name: last })
      await rowsOf(page, 'Sites').getByRole('link').first().click()
      await page.getByRole('heading', { level: 1, name: 'Spaces' }).waitFor()
      assert.equal(new URL(page.url()).pathname, `/console/${lastUuid}/spaces`)
    })

    test('the spaces are paged and searched by the server, with one batch for 200 of them', async () => {
      const path = `/console/${tower.siteUuid}/spaces`
      const whenAnswered = (name: string): Promise<unknown> =>
        page.waitForResponse((response) => response.url().includes(`/v2/${name}?`))
      const requests = await visitAndCount(page, async () => {
        const answers = ['aggregate/hourly', 'latest'].map(whenAnswered)
        await open(page, path)
        await Promise.all(answers)
      })
      const count = (name: string): number => requests.filter((url) => url.startsWith(`/v2/${name}?`)).length
      assert.deepEqual(
        [count('spaces'), count('aggregate/hourly'), count('latest')],
        [1, 1, 1],
        requests.join(),
      )
      await page.getByRole('heading', { name: 'The first 200 spaces' }).waitFor()
      await assertPaged(page, 'Spaces', { label: 'Name', name: 'Room 09999' })
    })

    test('the other pages of the large site ask for little', async () => {
      const pages = ['devices', 'events'].map((name) => `/console/${tower.siteUuid}/${name}`)
      const accountPages = ['migration', 'try'].map((name) => `/console/${name}?site=${tower.siteUuid}`)
      for (const path of [...pages, ...accountPages, '/console/webhooks']) await open(page, path)
      await whenLoaded(page)
      page.assertNoForeignRequests()
    })
  })
})
