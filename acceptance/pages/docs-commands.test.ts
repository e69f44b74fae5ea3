import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { api } from '../support/clients/requests.ts'
import { asArray, asObject, parseJson } from '../support/json.ts'
import { commandPath } from '../support/servers/command.ts'
import { demoEnvPath } from '../support/servers/demo-env.ts'
import { makeTempDir, type Portico, startPortico } from '../support/servers/portico.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'

const run = promisify(execFile)

/** Documents with shell commands. Those of the SDKs and of the migration guide have tests of their own. */
const DOCUMENTS = ['tokens', 'v2', 'events', 'webhooks', 'first-site', 'mqtt', 'operator']

/** Commands that need something that the demo does not have: other credentials, TLS or another broker. */
const NOT_FOR_THE_DEMO = /your-client-id|--cafile|portico serve|gateway export/

/** Commands that run until Ctrl-C. The exit status is that of `timeout` or of curl with `-m`. */
const UNTIL_STOPPED = /^(curl -N|mosquitto_sub (?!.* -C 1 ))/gm

const parseCommands = (markdown: string): string[] =>
  [...markdown.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, code = '']) => code)

describe('the commands of the served documents, pasted one after another', {
  skip: skipWithout(testTools.curl) || skipWithout(testTools.mosquitto),
}, () => {
  let portico: Portico
  let folder: string
  before(async () => {
    folder = await makeTempDir()
    portico = await startPortico()
    // As in a clone, where npx finds the command.
    const npx = join(folder, 'npx')
    await writeFile(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${commandPath()}" "$@"\n`)
    await chmod(npx, 0o755)
  })
  after(async () => {
    await portico.stop()
    await rm(folder, { recursive: true })
  })

  /** Output of the commands of a document, after those of Access tokens. */
  async function paste(slug: string): Promise<string> {
    const load = async (name: string) => parseCommands((await api(portico, `/docs/${name}.md`)).text)
    const commands = [...(slug === 'tokens' ? [] : await load('tokens')), ...(await load(slug))]
      .filter((command) => !NOT_FOR_THE_DEMO.test(command))
      .map((command) => command.replaceAll(UNTIL_STOPPED, 'stopped $1'))
    const stopped = `stopped() { timeout 2 "$@" || [ $? = 124 ]; }`
    const path = join(folder, 'commands.sh')
    await writeFile(path, ['set -eo pipefail', stopped, ...commands].join('\n'))
    const env = {
      PATH: [folder, process.env['PATH']].join(delimiter),
      HOME: folder,
      NO_PROXY: 'localhost',
      DATA_DIR: portico.dataDir,
    }
    const { stdout } = await run('bash', ['--norc', path], { cwd: folder, env, maxBuffer: 1 << 26 })
    assert.ok(!stdout.includes(`"type":"${portico.url}/errors/`), stdout)
    assert.ok(!stdout.includes('"error_codes":'), stdout)
    return stdout
  }

  for (const slug of DOCUMENTS)
    test(slug, async () => {
      assert.notEqual(await paste(slug), '')
    })

  test('the demo’s variables come after the placeholders, which would overwrite them', async () => {
    for (const slug of ['tokens', 'sdk', 'operator', 'mqtt']) {
      const { text } = await api(portico, `/docs/${slug}.md`)
      const demo = text.indexOf(`set -a; . ${demoEnvPath(portico.dataDir)}; set +a`)
      assert.ok(demo > text.indexOf('_CLIENT_SECRET=your-client-secret'), slug)
    }
  })

  test('every document with commands is tested', async () => {
    const { text } = await api(portico, '/llms.txt')
    const slugs = [...text.matchAll(/\/docs\/([\w-]+)\.md/g)].map(([, slug = '']) => slug)
    for (const slug of slugs) {
      const commands = parseCommands((await api(portico, `/docs/${slug}.md`)).text)
      assert.equal(commands.length > 0, [...DOCUMENTS, 'sdk', 'migration'].includes(slug), slug)
    }
  })

  test('“Your own site” ends with a reading that the partner sees and a schedule that the device has confirmed', async () => {
    const output = await paste('first-site')
    // A closing brace that nothing of JSON follows ends a response, which is not followed by a line break.
    const parts = output.split(/(?<=\})(?![,\]}])|\n/).map((part) => part.trim())
    const answers = parts.filter((part) => part.startsWith('{')).map((part) => asObject(parseJson(part)))
    const series = answers.find(({ timeSeries }) => timeSeries !== undefined) ?? assert.fail(output)
    assert.equal(asObject(asArray(series['timeSeries']).at(-1))['value'], 18.5)
    assert.ok(
      answers.some(({ state }) => state === 'CONFIRMED'),
      output,
    )
    const schedule = answers.find(({ plan }) => plan !== undefined) ?? assert.fail(output)
    assert.deepEqual(asObject(schedule['plan'])['default'], { temperature: 17 })
    assert.ok([17, 21].includes(Number(asObject(asObject(schedule['now'])['target'])['temperature'])))
  })
})
