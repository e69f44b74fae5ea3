import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { isPostgres, onlyEmbedded } from '../support/servers/backend.ts'
import { addOperator } from '../support/servers/operator-dir.ts'
import { findFreePort } from '../support/servers/free-port.ts'
import { makeTempDir } from '../support/servers/portico.ts'
import { startOnTerminal, type TerminalCommand } from '../support/servers/terminal.ts'

const dataDir = await makeTempDir()
after(() => rm(dataDir, { recursive: true, force: true }))

const ESC = '\u001b'

/** Starts a server on a terminal; resolves when it is ready. */
async function serve(
  env: Record<string, string> = {},
): Promise<TerminalCommand & { url: string; mqttPort: number }> {
  const [port, mqttPort] = [await findFreePort(), await findFreePort()]
  const args = ['serve', '--port', String(port), '--mqtt-port', String(mqttPort)]
  const server = await startOnTerminal(args, dataDir, env)
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => assert.equal((await fetch(`${url}/ready`)).status, 200), 600_000)
  return { ...server, url, mqttPort }
}

/** The scripts, styles and documents that the reference and the console load. */
async function listAssets(url: string): Promise<string[]> {
  const pages = await Promise.all(
    ['/reference', '/console'].map(async (path) => (await fetch(`${url}${path}`)).text()),
  )
  const found = pages.flatMap((page) => page.match(/\/(reference\/script|console\/assets)\/[\w.-]+/g) ?? [])
  assert.ok(found.length >= 2, found.join())
  return [...found, '/reference/documents/v2.json'].map((path) => `${url}${path}`)
}

test('on a terminal, the addresses and the log are written for people, in colour', async () => {
  const server = await serve()
  try {
    const shown = server.output()
    assert.match(shown, /Starting: opening the store/)
    assert.match(shown, /Starting: preparing the store/)
    assert.match(shown, /created the schema/)
    assert.doesNotMatch(shown, /migrated/)
    const address = server.url.replace('127.0.0.1', 'localhost')
    assert.match(shown, new RegExp(`API +${address}/v2\\r`))
    assert.match(shown, new RegExp(`Reference +${address}/reference\\r`))
    assert.match(shown, new RegExp(`Docs +${address}/`))
    assert.match(shown, new RegExp(`Console +${address}/console\\r`))
    assert.doesNotMatch(shown, /enter\?code/)
    assert.match(shown, new RegExp(`MQTT +mqtt://127.0.0.1:${server.mqttPort}`))
    assert.ok(shown.includes(dataDir), shown)
    const [before, after] = isPostgres()
      ? [' with this DATABASE_URL:', '\\r']
      : [':', ` --data ${dataDir}\\r`]
    assert.match(
      shown,
      new RegExp(
        `Operator +none yet; create one${before} portico partner add --name NAME --role Operator${after}`,
      ),
    )
    assert.equal(/Store +PostgreSQL, 127/.test(shown), isPostgres())
    assert.match(shown, /Ctrl-C to stop/)

    await fetch(`${server.url}/live`)
    await fetch(`${server.url}/favicon.ico`)
    for (const asset of await listAssets(server.url)) assert.equal((await fetch(asset)).status, 200, asset)
    await fetch(`${server.url}/zq7%1b[31mforged`)
    const answer = await fetch(`${server.url}/v2/sites`)
    assert.equal(answer.status, 401)
    await eventually(async () => {
      const line = server.output().match(/[^\n]*GET \/v2\/sites[^\n]*/)?.[0] ?? assert.fail('not logged')
      // oxlint-disable-next-line no-control-regex
      const plain = line.replaceAll(/\u001b\[\d+m/g, '')
      assert.match(plain, /^\d{2}:\d{2}:\d{2} INFO {2}GET \/v2\/sites 401 \d+(\.\d)? ms\r$/)
      assert.ok(line.includes(`${ESC}[32mINFO`), line)
    })
    assert.doesNotMatch(server.output(), /GET \/(live|ready|favicon\.ico|reference\/|console\/assets)/)
    assert.doesNotMatch(server.output(), /Listening/)
    assert.ok(!server.output().includes(`${ESC}[31mforged`))
  } finally {
    await server.stop()
  }
  assert.equal(await server.ended, 0)
})

onlyEmbedded('the file may be elsewhere', () => {
  test('a store outside the data folder is named, and the command to create an operator is for it', async () => {
    const file = join(dataDir, 'a store.db')
    const server = await serve({ DATABASE_URL: `sqlite:${file}`, npm_command: 'exec' })
    try {
      const shown = server.output()
      assert.ok(shown.includes(`Store         ${file}\r`), shown)
      assert.ok(
        shown.includes(
          `create one: npx portico partner add --name NAME --role Operator --database 'sqlite:${file}'\r`,
        ),
        shown,
      )
    } finally {
      await server.stop()
    }
  })
})

test('NO_COLOR removes the colours, an operator is named, and where a server behind a proxy listens', async () => {
  const { clientId } = await addOperator({ dataDir })
  const server = await serve({ NO_COLOR: '1', PUBLIC_URL: 'https://api.example.com' })
  try {
    await fetch(`${server.url}/v2/sites`)
    await eventually(async () => assert.match(server.output(), /INFO {2}GET \/v2\/sites 401/))
    assert.ok(!server.output().includes(ESC), server.output())
    assert.match(server.output(), new RegExp(`Operator +Operator, client id ${clientId}`))
    assert.match(server.output(), new RegExp(`Listening +${server.url}\r`))
  } finally {
    await server.stop()
  }
})

test('LOG_FORMAT=json writes JSON lines on a terminal too, and Ctrl-C stops the server', async () => {
  const server = await serve({ LOG_FORMAT: 'json' })
  await fetch(`${server.url}/v2/sites`)
  await eventually(async () =>
    assert.match(server.output(), /^\{"level":"info",.*"path":"\/v2\/sites","status":401,.*\}\r$/m),
  )
  server.type('\u0003')
  assert.equal(await server.ended, 0)
})
