import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeDemoDir, removeDataDir, startPortico } from '../support/servers/portico.ts'
import { assertUnauthorized } from '../support/oracles/problem.ts'
import { api, demoToken } from '../support/clients/requests.ts'

const dataDir = await makeDemoDir()
after(() => removeDataDir(dataDir))

const clockAhead = (minutes: number): Record<string, string> => ({
  RATE_LIMIT: 'off',
  NODE_OPTIONS: `--import=${import.meta.resolve('../support/preload/clock-offset.ts')}`,
  CLOCK_AHEAD_MS: String(minutes * 60_000),
})

test('a token is accepted for 60 minutes, then rejected as TokenExpired; the same credentials get a new one', async () => {
  const first = await startPortico({ dataDir, env: { RATE_LIMIT: 'off' } })
  const { port } = first
  const token = await demoToken(first)
  assert.equal((await api(first, '/v2/sites', { token })).status, 200)
  assert.equal(await first.stop(), 0)

  const before = await startPortico({ dataDir, port, env: clockAhead(55) })
  assert.equal((await api(before, '/v2/sites', { token })).status, 200)
  assert.equal(await before.stop(), 0)

  await using later = await startPortico({ dataDir, port, env: clockAhead(65) })
  const answer = await api(later, '/v2/sites', { token })
  assertUnauthorized(later, answer, 'TokenExpired')
  assert.match(answer.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
  const renewed = await demoToken(later)
  assert.equal((await api(later, '/v2/sites', { token: renewed })).status, 200)
})
