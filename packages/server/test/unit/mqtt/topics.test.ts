import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  toSubscriptionFilter,
  DEVICE_TOPIC_KINDS,
  isNonCanonical,
  belongsToSite,
  matches,
  parseTopic,
  toTopic,
} from '../../../src/mqtt/topics.ts'

const SITE = '00000000-0000-4000-8000-00000000000a'
const UNIT = '00000000-0000-4000-8000-00000000000b'
const COMMAND = '00000000-0000-4000-8000-00000000000c'
const root = `portico/v1/${SITE}/${UNIT}`

test('a topic parses to its parts', () => {
  for (const kind of ['readings', 'presence', 'commands'] as const) {
    assert.deepEqual(parseTopic(toTopic(kind, SITE, UNIT)), { kind, siteUuid: SITE, senderUuid: UNIT })
  }
  assert.deepEqual(parseTopic(`${root}/commands/${COMMAND}/status`), {
    kind: 'commandStatus',
    siteUuid: SITE,
    senderUuid: UNIT,
    commandUuid: COMMAND,
  })
})

test('UUIDs are accepted in one spelling only', () => {
  for (const topic of [
    `portico/v1/${SITE.toUpperCase()}/${UNIT}/readings`,
    `portico/v1/${SITE}/${UNIT.toUpperCase()}/presence`,
    `${root}/commands/${COMMAND.toUpperCase()}/status`,
  ]) {
    assert.equal(parseTopic(topic), undefined)
    assert.ok(isNonCanonical(topic))
  }
  assert.ok(!isNonCanonical(`${root}/readings`))
  assert.ok(!isNonCanonical(`${root}/other`))
})

for (const topic of [
  '',
  'portico/v1',
  `portico/v2/${SITE}/${UNIT}/readings`,
  `portico/v1/site/${UNIT}/readings`,
  `portico/v1/${SITE}/unit/readings`,
  root,
  `${root}/`,
  `${root}/other`,
  `${root}/readings/`,
  `${root}/readings/${COMMAND}`,
  `${root}/commands/x/status`,
  `${root}/commands/${COMMAND}`,
  `${root}/commands/${COMMAND}/state`,
  `${root}/commands/${COMMAND}/status/x`,
  `/${root}/readings`,
]) {
  test(`${JSON.stringify(topic)} is not a topic of ours`, () => assert.equal(parseTopic(topic), undefined))
}

test('a filter is limited to a site only if its first three levels are', () => {
  assert.ok(belongsToSite(`portico/v1/${SITE}/#`, SITE))
  assert.ok(belongsToSite(`portico/v1/${SITE}/+/readings`, SITE))
  for (const filter of [
    '#',
    'portico/v1/#',
    'portico/v1/+/#',
    `+/v1/${SITE}/#`,
    `portico/v1/${SITE}`,
    `portico/v1/${UNIT}/#`,
    `portico/v1/${SITE.toUpperCase()}/#`,
  ])
    assert.ok(!belongsToSite(filter, SITE), filter)
})

test('the server subscribes to messages of devices on every site', () => {
  assert.deepEqual(DEVICE_TOPIC_KINDS, ['readings', 'presence', 'commandStatus'])
  assert.equal(toSubscriptionFilter('commandStatus'), 'portico/v1/+/+/commands/+/status')
})

test('a filter matches a topic level by level', () => {
  for (const filter of ['a/b', 'a/+', '+/b', '#', 'a/#', 'a/b/#']) assert.ok(matches(filter, 'a/b'), filter)
  for (const filter of ['a', 'a/b/c', 'a/+/+', 'a/+/+/#', 'b/#', '+'])
    assert.ok(!matches(filter, 'a/b'), filter)
})
