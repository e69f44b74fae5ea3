import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeDevCert } from '../support/servers/dev-cert.ts'
import { makeTempDir, type Portico, startPortico } from '../support/servers/portico.ts'
import { send } from '../support/clients/requests.ts'
import { skipWithout, type TestTool, testTools } from '../support/servers/test-tools.ts'
import { type Account, createClientRunner } from './run-client.ts'
import { type StockClient, stockClients } from './stock-clients.ts'

/** All clients share one credential here, which exceeds the rate limit of a single partner. */
const env = { RATE_LIMIT: 'off' }
const concurrency = availableParallelism()

const folder = await makeTempDir()
const runClient = createClientRunner(folder)
after(() => rm(folder, { recursive: true }))

const skipFor = new Map<TestTool, string | false>(
  Object.values(testTools).map((tool) => [tool, skipWithout(tool)]),
)
const skip = ({ tool }: Pick<StockClient, 'tool'>) => tool !== undefined && (skipFor.get(tool) ?? false)

describe('over plain http', { concurrency }, () => {
  let portico: Portico
  before(async () => {
    portico = await startPortico({ env })
  })
  after(() => portico.stop())

  for (const client of stockClients.filter(({ httpsOnly }) => !httpsOnly)) {
    test(`${client.name} gets a token that the API accepts`, { skip: skip(client) }, async () => {
      await assertGetsTokens(portico, client, toAccount(portico))
    })
  }
})

describe('over https', { concurrency }, () => {
  let portico: Portico
  let caFile: string
  before(async () => {
    const files = await makeDevCert(join(folder, 'certificate'))
    portico = await startPortico({ env, tls: { cert: files.certFile, key: files.keyFile } })
    caFile = files.caFile
  })
  after(() => portico.stop())

  for (const client of stockClients) {
    test(`${client.name} gets a token that the API accepts`, { skip: skip(client) }, async () => {
      await assertGetsTokens(portico, client, { ...toAccount(portico), caFile })
    })

    test(`${client.name} reports a wrong secret with the message of the issuer`, {
      skip: skip(client),
    }, async () => {
      const account = { ...toAccount(portico), caFile, clientSecret: 'not-the-secret' }
      const run = await runClient(client, account)
      assert.deepEqual(run.tokens, [])
      assert.notEqual(run.code, 0)
      for (const words of client.wrongSecret) assert.match(run.stderr, words)
    })
  }

  const callsTwice = [
    { name: 'MSAL for Node', program: 'msal-node.ts', ways: ['twice'] },
    { name: 'Azure Identity', program: 'azure-identity.ts', ways: ['twice'] },
    { name: 'Python MSAL', program: 'python-msal.py', ways: ['twice'], tool: testTools.python },
  ]
  for (const client of callsTwice) {
    test(`${client.name} has a working token after a second call, too`, { skip: skip(client) }, async () => {
      await assertGetsTokens(portico, client, { ...toAccount(portico), caFile }, 2)
    })
  }
})

async function assertGetsTokens(
  portico: Portico,
  client: Pick<StockClient, 'program' | 'ways'>,
  account: Account,
  count = 1,
) {
  const run = await runClient(client, account)
  assert.equal(run.code, 0, run.stderr)
  assert.equal(run.tokens.length, count)
  for (const token of run.tokens) {
    const answer = await send(`${portico.baseUrl}/sites`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.status, 200, answer.text)
  }
}

function toAccount({ authUrl, demoEnv }: Portico): Account {
  return { authUrl, clientId: demoEnv.CLIENT_ID, clientSecret: demoEnv.CLIENT_SECRET }
}
