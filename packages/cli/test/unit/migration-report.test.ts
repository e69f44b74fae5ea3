import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { loadConfig } from '@portico/server/config/config'
import { COMMAND_LINE, openOperator } from '@portico/server/operator/operator'
import { openLocalClient } from '../../src/client/local-client.ts'
import type { Values } from '../../src/command.ts'
import { command } from '../../src/commands/migration-report.ts'

const NOON = Date.UTC(2026, 10, 15, 12)

/** Runs the command on a store in which two partners have called version 1. */
async function seeded(t: TestContext): Promise<(values: Values) => Promise<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const config = loadConfig({ data: folder }, {})
  await using operator = await openOperator(config, { create: true })
  const add = async (name: string): Promise<string> => {
    const { partner } = await operator.partners.add({ name, sites: [], roles: [] }, COMMAND_LINE)
    return partner.partnerUuid
  }
  const [zeta, acme] = [await add('Zeta'), await add('=Acme, Ltd')]
  const tally = { statusClass: 2, calls: 5, lastSeenAt: NOON }
  await operator.store.v1Usage.add([
    { ...tally, partnerUuid: zeta, path: '/tenant/logo' },
    { ...tally, partnerUuid: zeta, path: '/spaces/tip/{spaceId}' },
    { ...tally, partnerUuid: acme, path: '/spaces/details/{spaceId}' },
    { ...tally, partnerUuid: acme, path: '/spaces/details/{spaceId}', statusClass: 4, calls: 2 },
  ])
  return async (values) => {
    let printed = ''
    const out = {
      isJson: values['json'] === true,
      text: (text: string) => void (printed += text),
      result: (value: unknown, lines: string | string[]) =>
        void (printed += values['json'] === true ? JSON.stringify(value) : [lines].flat().join('\n')),
      note: () => {},
      progress: { show() {}, end() {}, clear() {} },
    }
    const connect = () => openLocalClient(config, { create: false })
    assert.equal(await command.run({ config, flags: {}, connect, values, positionals: [], out }), 0)
    return printed
  }
}

test('the text lists callers, endpoints, counts, last calls and replacements', async (t) => {
  const report = await seeded(t)
  assert.equal(
    await report({}),
    `partner     version 1                      calls  failed  last                      version 2
=Acme, Ltd  GET /spaces/details/{spaceId}  7      2       2026-11-15T12:00:00.000Z  GET /spaces/{spaceuuid}/overview
Zeta        GET /spaces/tip/{spaceId}      5      0       2026-11-15T12:00:00.000Z  planned
Zeta        GET /tenant/logo               5      0       2026-11-15T12:00:00.000Z  none`,
  )
})

test('CSV and JSON have the same content', async (t) => {
  const report = await seeded(t)
  const { data } = JSON.parse(await report({ json: true })) as { data: Record<string, unknown>[] }
  const [{ partnerUuid = '', ...first } = {}] = data
  assert.deepEqual(first, {
    partnerName: '=Acme, Ltd',
    method: 'GET',
    path: '/spaces/details/{spaceId}',
    state: 'replaced',
    calls: 7,
    failed: 2,
    lastSeenAt: '2026-11-15T12:00:00.000Z',
    replacement: '/spaces/{spaceuuid}/overview',
  })
  const [header, line, ...others] = (await report({ csv: true })).split('\r\n')
  assert.equal(header, 'partnerUuid,partnerName,method,path,state,calls,failed,lastSeenAt,replacement')
  assert.equal(
    line,
    `${String(partnerUuid)},"'=Acme, Ltd",GET,/spaces/details/{spaceId},replaced,7,2,2026-11-15T12:00:00.000Z,/spaces/{spaceuuid}/overview`,
  )
  assert.equal(others.length, 3)
})
