import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../acceptance/pages/browser.ts'
import { demoToken } from '../acceptance/support/clients/requests.ts'
import { type Portico, startPortico } from '../acceptance/support/servers/portico.ts'

/** Takes the screenshots of the README from a demo, in light and dark: `npm run screenshots`. */
const FOLDER = join(import.meta.dirname, '../docs/images')
const SIZE = { width: 1280, height: 1000 }
/** Time for animations of the browser to end. */
const SETTLE_MS = 1_000

mkdirSync(FOLDER, { recursive: true })
await using server = await startPortico({ env: { LOG_LEVEL: 'error' } })
const browser = await launchBrowser()
try {
  const { demoEnv } = server
  for (const colorScheme of ['light', 'dark'] as const) {
    const partner = await signIn(browser, colorScheme, demoEnv.CLIENT_ID, demoEnv.CLIENT_SECRET)
    await shoot(
      partner,
      `/console/${demoEnv.SITE_ID}/spaces/${await findStudio(server)}`,
      `console-space-${colorScheme}`,
    )
    const { OPERATOR_CLIENT_ID, OPERATOR_CLIENT_SECRET } = demoEnv
    const operator = await signIn(browser, colorScheme, OPERATOR_CLIENT_ID, OPERATOR_CLIENT_SECRET)
    await shoot(operator, '/console/operator', `console-operator-${colorScheme}`)
  }
} finally {
  await browser.close()
}

function getOrigin(): string {
  return new URL(server.demoEnv.BASE_URL).origin
}

async function signIn(
  browser: Browser,
  colorScheme: 'light' | 'dark',
  id: string,
  secret: string,
): Promise<Page> {
  const page = await browser.newPage({ viewport: SIZE, colorScheme })
  await page.goto(`${getOrigin()}/console`)
  await page.fill('[name=clientId]', id)
  await page.fill('[name=clientSecret]', secret)
  await page.click('form button')
  await page.locator('main h1').waitFor()
  return page
}

async function shoot(page: Page, path: string, name: string): Promise<void> {
  await page.goto(`${getOrigin()}${path}`)
  await page.locator('.panel').first().waitFor()
  const loading = page.locator('.skeleton')
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' })
  await page.waitForTimeout(SETTLE_MS)
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  await page.context().close()
}

async function findStudio({ demoEnv, ...rest }: Portico): Promise<string> {
  const token = await demoToken({ demoEnv, ...rest })
  const response = await fetch(`${demoEnv.BASE_URL}/spaces?spaceType=studio&limit=10`, {
    headers: { authorization: `Bearer ${token}`, siteid: demoEnv.SITE_ID },
  })
  const { data } = (await response.json()) as { data: { spaceUuid: string; spaceName: string }[] }
  const studio = data.find(({ spaceName }) => spaceName === 'S101')
  if (!studio) throw new Error('The demo has no space S101')
  return studio.spaceUuid
}
