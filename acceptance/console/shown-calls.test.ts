import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Locator } from 'playwright-core'
import { launchBrowser, type WatchedPage } from '../pages/browser.ts'
import { api, demoToken } from '../support/clients/requests.ts'
import { asArray, asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { makeTempDir } from '../support/servers/portico.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'
import { skipWithout, systemPython, testTools } from '../support/servers/test-tools.ts'
import { openConsole, visit } from './console-page.ts'

const run = promisify(execFile)
const sdk = fileURLToPath(new URL('../../packages/sdk', import.meta.url))

const { portico, client } = await shareDemo()
const siteId = portico.demoEnv.SITE_ID
const spaces = await client.list('/spaces')
const kitchen = asString(spaces.find(({ spaceName }) => spaceName === 'W1B Kitchen')?.['spaceUuid'])

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

type Language = 'curl' | 'TypeScript' | 'Python'
const languages: readonly Language[] = ['curl', 'TypeScript', 'Python']

const tools = [testTools.chromium, testTools.curl, testTools.python]
const skip = tools.map(skipWithout).find((reason) => reason !== false) ?? false

describe('code that the console shows', { skip }, () => {
  let browser: Browser
  let page: WatchedPage
  let folder: string
  before(async () => {
    folder = await makeTempDir()
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await mkdir(join(folder, 'node_modules/@portico'), { recursive: true })
    await symlink(sdk, join(folder, 'node_modules/@portico/sdk'))
    await writeFile(join(folder, 'portico.py'), (await api(portico, '/clients/portico.py')).text)
    browser = await launchBrowser()
    const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = portico.demoEnv
    page = await openConsole(browser, portico, { clientId, clientSecret }, '/console')
  })
  after(async () => {
    await browser.close()
    await rm(folder, { recursive: true })
  })

  /** Runs displayed code as one program that prints the responses, one per line. */
  async function runCode(codes: readonly string[], language: Language): Promise<unknown[]> {
    const env = {
      ...portico.demoEnv,
      PATH: process.env['PATH'] ?? '',
      NO_PROXY: 'localhost,127.0.0.1',
      TOKEN: await demoToken(portico),
    }
    const [command, ...args] = await writeProgram(codes, language)
    const { stdout } = await run(command, args, { cwd: folder, env, maxBuffer: 50_000_000 })
    const lines = stdout.trimEnd().split('\n')
    assert.equal(lines.length, codes.length)
    return lines.map(parseJson)
  }

  async function writeProgram(
    codes: readonly string[],
    language: Language,
  ): Promise<[command: string, ...args: string[]]> {
    if (language === 'curl') {
      await writeFile(join(folder, 'calls.sh'), codes.map((code) => `${code} -sS\necho`).join('\n'))
      return ['bash', 'calls.sh']
    }
    if (language === 'Python') {
      const prints = codes.map((code) => `${code}\nprint(json.dumps(answer))`)
      await writeFile(join(folder, 'calls.py'), ['import json', ...prints].join('\n'))
      return [systemPython, 'calls.py']
    }
    for (const [index, code] of codes.entries()) {
      const result = code.includes('const { data }') ? 'data' : 'answer'
      await writeFile(join(folder, `call-${index}.ts`), `${code}\nconsole.log(JSON.stringify(${result}))\n`)
    }
    const imports = codes.map((_, index) => `await import('./call-${index}.ts')`)
    await writeFile(join(folder, 'calls.ts'), imports.join('\n'))
    return [process.execPath, '--conditions=portico-source', 'calls.ts']
  }

  const dialog = (): Locator => page.getByRole('dialog').filter({ visible: true })

  /** The code of each call of a panel, in each language. */
  async function showCalls(subject: string): Promise<Record<Language, string[]>> {
    await page.getByRole('button', { name: `Show the call: ${subject}`, exact: true }).click()
    const shown: Partial<Record<Language, string[]>> = {}
    for (const language of languages) {
      await dialog().getByText(language, { exact: true }).click()
      shown[language] = await dialog().locator('pre code').allTextContents()
    }
    await dialog().getByRole('button', { name: 'Close' }).click()
    return shown as Record<Language, string[]>
  }

  /** Lists are arrays in the SDKs, and an object with `data` for curl. */
  const toRecords = (answer: unknown): JsonObject[] =>
    asArray(Array.isArray(answer) ? answer : asObject(answer)['data']).map(asObject)

  test('never contains the token', async () => {
    await visit(page, portico, `/console/${siteId}/spaces`)
    const shown = await showCalls('83 spaces')
    for (const code of Object.values(shown).flat()) {
      assert.doesNotMatch(code, /eyJ/)
      assert.ok(!code.includes(portico.demoEnv.CLIENT_SECRET))
    }
  })

  for (const language of languages) {
    test(`in ${language} lists the spaces of the table, and those of a search`, async () => {
      for (const [query, heading] of [
        ['', '83 spaces'],
        ['?search=kitchen&floor=1', '3 spaces'],
      ] as const) {
        await visit(page, portico, `/console/${siteId}/spaces${query}`)
        const names = await page.getByRole('table', { name: 'Spaces' }).locator('tbody th').allTextContents()
        const shown = await showCalls(heading)
        assert.equal(shown[language].length, 3)
        const [list, batch, latest] = await runCode(shown[language], language)
        const records = toRecords(list)
        assert.deepEqual(
          records.map(({ spaceName }) => spaceName),
          names,
        )
        const identifiers = new Set(records.map(({ spaceUuid }) => spaceUuid))
        const series = asArray(asObject(batch)['series']).map(asObject)
        assert.equal(
          series.filter(({ hasData }) => hasData).length,
          await page.locator('.chart-sparkline').count(),
        )
        assert.ok(series.every(({ spaceUuid }) => identifiers.has(spaceUuid)))
        const climate = toRecords(latest)
        assert.ok(climate.length > 0 && climate.every(({ spaceUuid }) => identifiers.has(spaceUuid)))
      }
    })

    test(`in ${language} reads the series of the charts`, async () => {
      const range = `range=custom&from=${dayBefore(60)}&to=${dayBefore(31)}`
      await visit(page, portico, `/console/${siteId}/spaces/${kitchen}?${range}`)
      const panel = page.getByRole('region', { name: 'Consumption', exact: true })
      const figure = panel.locator('figure').first()
      await panel.getByText('Period before').first().waitFor()
      await figure.getByText('As a table').click()
      const columns = await figure.locator('tbody tr').evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll('td.chart-number')].map((cell) => {
            const value = cell.querySelector('data')?.getAttribute('value')
            return value === null || value === undefined ? null : Number(value)
          }),
        ),
      )
      assert.equal(columns.length, 30)
      const { [language]: codes } = await showCalls('Consumption')
      assert.equal(codes.length, 2)
      const answers = (await runCode(codes, language)).map((batch) => {
        const found = asArray(asObject(batch)['series'])
          .map(asObject)
          .find(({ metricType }) => metricType === 'electricity')
        return asArray(found?.['values'])
      })
      assert.deepEqual(
        columns,
        columns.map((_, index) => [answers[0]?.[index] ?? null, answers[1]?.[index] ?? null]),
      )
    })

    test(`in ${language} runs for every request to try, and returns what Run shows`, async () => {
      await visit(page, portico, '/console/try')
      const links = page.getByRole('navigation', { name: 'Requests' }).getByRole('link')
      await links.filter({ hasText: 'One device' }).waitFor()
      await links.filter({ hasText: 'Overview of a space' }).waitFor()
      const names = await links.allTextContents()
      const codes: string[] = []
      const shown: unknown[] = []
      for (const name of names) {
        await links.filter({ hasText: new RegExp(`^${name}$`) }).click()
        const panel = page.getByRole('region', { name, exact: true })
        await panel.getByText(language, { exact: true }).click()
        codes.push((await panel.locator('.code code').textContent()) ?? '')
        await panel.getByRole('button', { name: 'Run', exact: true }).click()
        await panel.getByText(/^200 in /).waitFor()
        const text = (await panel.locator('.response').textContent()) ?? ''
        shown.push(text.endsWith('… cut') ? undefined : parseJson(text))
      }
      const answers = await runCode(codes, language)
      for (const [index, name] of names.entries()) {
        const [answer, expected] = [answers[index], shown[index]]
        assert.ok(answer !== null && typeof answer === 'object', name)
        // Lists are arrays in the SDKs. Values of the demo change with every reading, its records do not.
        if (expected !== undefined && !Array.isArray(answer))
          assert.deepEqual(Object.keys(answer), Object.keys(asObject(expected)), name)
        const identifier = name === 'Overview of a space' ? 'spaceUuid' : 'deviceUuid'
        if (name === 'Overview of a space' || name === 'One device')
          assert.equal(asObject(answer)[identifier], asObject(expected)[identifier])
      }
    })
  }
})
