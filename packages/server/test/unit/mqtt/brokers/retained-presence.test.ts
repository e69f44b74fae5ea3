import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRetainedPresence } from '../../../../src/mqtt/brokers/retained-presence.ts'
import { matches, toTopic } from '../../../../src/mqtt/topics.ts'

const SITE = '00000000-0000-4000-8000-00000000000a'
const ONE = '00000000-0000-4000-8000-00000000000b'
const TWO = '00000000-0000-4000-8000-00000000000c'
const presence = (unit: string, payload = 'online') => ({
  cmd: 'publish' as const,
  topic: toTopic('presence', SITE, unit),
  payload: Buffer.from(payload),
  qos: 1 as const,
})

function createFixture() {
  const known = new Set([ONE, TWO])
  const retained = createRetainedPresence(async () => known)
  for (const unit of [ONE, TWO]) retained.set(presence(unit))
  const find = async (...filters: string[]): Promise<string[]> => {
    const topics: string[] = []
    for await (const { topic } of retained.find(filters)) topics.push(topic)
    return topics
  }
  return { known, retained, find }
}

const LEVELS = [
  '#',
  '+',
  ONE,
  TWO,
  'other',
  '+/+',
  '+/#',
  '+/presence',
  '+/presence/#',
  '+/readings',
  '+/+/+',
]
const FILTERS = LEVELS.flatMap((level) => [
  `portico/v1/${SITE}/${level}`,
  ...['#', '+', 'presence', 'presence/#', 'readings', '+/#', '+/+'].map(
    (kind) => `portico/v1/${SITE}/${level}/${kind}`,
  ),
])

test('a filter returns the presences that it matches, each once', async () => {
  const { find } = createFixture()
  for (const filter of FILTERS.filter((text) => !/#./.test(text))) {
    const expected = [ONE, TWO]
      .map((unit) => toTopic('presence', SITE, unit))
      .filter((topic) => matches(filter, topic))
    assert.deepEqual(await find(filter), expected, filter)
  }
  assert.equal((await find(`portico/v1/${SITE}/#`, toTopic('presence', SITE, ONE))).length, 2)
})

test('an empty payload removes a presence, and other kinds are never retained', async () => {
  const { retained, find } = createFixture()
  retained.set(presence(ONE, ''))
  retained.set({ ...presence(ONE), topic: toTopic('readings', SITE, ONE) })
  assert.deepEqual(await find(`portico/v1/${SITE}/#`), [toTopic('presence', SITE, TWO)])
})

test('a device that is no longer in the inventory is removed', async () => {
  const { known, retained, find } = createFixture()
  known.delete(ONE)
  await retained.prune()
  known.add(ONE)
  assert.deepEqual(await find(`portico/v1/${SITE}/#`), [toTopic('presence', SITE, TWO)])
  known.delete(TWO)
  assert.deepEqual(await find(`portico/v1/${SITE}/+/presence`), [])
})
