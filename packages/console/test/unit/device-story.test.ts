import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Command, DeviceSeriesBatch, Event } from '@portico/sdk'
import { matchesDevice } from '../../src/partner/devices/filter.ts'
import {
  toMoveEntries,
  toReadingEntries,
  toRejectedEntries,
  toStory,
} from '../../src/partner/devices/story.ts'
import { addPage, findOldest, mergeEarlier } from '../../src/partner/events/log-state.ts'
import { toChanges, toDraft, toNewWebhook } from '../../src/partner/webhooks/draft.ts'

const command = (commandUuid: string, createdAt: string): Command => ({
  commandUuid,
  deviceUuid: 'd',
  type: 'resume',
  state: 'CONFIRMED',
  createdAt,
  updatedAt: createdAt,
  expiresAt: createdAt,
  completedAt: createdAt,
  failureReason: null,
  clientReference: null,
  schedule: { type: 'resume' },
})

const event = (number: number, timestamp: string, of: Command): Event => ({
  eventUuid: `e${number}`,
  type: 'command.updated',
  version: 1,
  timestamp,
  siteUuid: 's',
  number,
  deviceUuid: 'd',
  spaceUuid: null,
  data: { previousState: null, command: of },
})

const hours: DeviceSeriesBatch = {
  granularity: 'hourly',
  interval: 'PT1H',
  timeZone: 'UTC',
  fromDateTime: '2026-11-16T00:00:00+00:00',
  toDateTime: '2026-11-16T04:00:00+00:00',
  timestamps: [0, 1, 2, 3].map((hour) => `2026-11-16T0${hour}:00:00+00:00`),
  series: [
    {
      deviceUuid: 'd',
      metricType: 'temperature',
      unit: 'degC',
      aggregation: 'mean',
      hasData: true,
      values: [20, 21, null, 0],
      min: [19.5, 20, null, 0],
      max: [20.5, 22, null, 0],
      quality: ['measured', 'partial', 'missing', 'measured'],
      coverage: [1, 0.5, 0, 1],
      summary: { min: 0, max: 22, mean: 14 },
    },
  ],
  pagination: { nextCursor: null, hasMore: false },
}

it('hours with and without readings become one entry each, and 0 is a reading', () => {
  const entries = toReadingEntries(hours).map(({ title, text }) => [title, text])
  assert.deepEqual(entries, [
    ['Readings over 2 hours', 'Mon 16 Nov, 00:00 to Mon 16 Nov, 02:00 · Temperature 19.5 to 22 °C'],
    ['No readings for 1 hour', 'Mon 16 Nov, 02:00 to Mon 16 Nov, 03:00'],
    ['Readings over 1 hour', 'Mon 16 Nov, 03:00 to Mon 16 Nov, 04:00 · Temperature 0 °C'],
  ])
})

it('the story has every source once, newest first', () => {
  const [logged, older] = [
    command('logged', '2026-11-16T03:30:00Z'),
    command('older', '2026-11-15T00:00:00Z'),
  ]
  const story = toStory({
    events: [event(7, '2026-11-16T03:30:00Z', logged)],
    commands: [logged, older],
    hours,
    placements: [
      { spaceUuid: 'a', spaceName: 'A', fromDateTime: null, toDateTime: '2026-11-15T06:00:00Z' },
      { spaceUuid: 'b', spaceName: 'B', fromDateTime: '2026-11-15T06:00:00Z', toDateTime: null },
    ],
    rejected: [{ timestamp: '2026-11-16T03:45:00Z', topic: 't', reason: 'not-json', message: 'Not JSON.' }],
    warnings: [{ code: 'low-battery', since: '2026-11-15T12:00:00Z', message: 'The battery is at 10 %.' }],
    timeZone: 'UTC',
  })
  assert.deepEqual(
    story.map(({ kind, title }) => `${kind}: ${title}`),
    [
      'readings: Readings over 1 hour',
      'rejected: Message rejected',
      'commands: Resume confirmed',
      'readings: No readings for 1 hour',
      'readings: Readings over 2 hours',
      'warnings: Warning: low battery',
      'moves: Moved to B',
      'commands: Resume confirmed',
      'commands: Resume sent',
    ],
  )
})

it('the log grows at both ends without gaps or duplicates', () => {
  const at = '2026-11-16T00:00:00Z'
  const [one, two, three] = [1, 2, 3].map((number) => event(number, at, command('c', at)))
  assert(one && two && three)
  const state = { events: [two], newest: 2, oldest: 1 }
  const grown = addPage(state, { data: [two, three], pagination: { nextAfter: 5, hasMore: false } })
  assert.deepEqual(grown, { events: [three, two], newest: 5, oldest: 1 })
  const whole = mergeEarlier(grown, { events: [two, one], newest: 2, oldest: 0 })
  assert.deepEqual(whole, { events: [three, two, one], newest: 5, oldest: 0 })
})

it('an error about events that are gone names the oldest', () => {
  assert.equal(findOldest({ errors: [{ field: 'after', code: 'gone', message: 'the oldest is 512' }] }), 512)
  assert.equal(findOldest({ errors: [] }), undefined)
})

it('devices are filtered by name, control and warnings', () => {
  const warnings = [{ code: 'stale', since: '', message: '' }]
  const device = { deviceName: 'S001 radiator valve', controllable: true, warnings }
  assert.equal(matchesDevice(device, {}), true)
  assert.equal(matchesDevice(device, { name: ' RADIATOR ', isControllable: 'yes', warning: 'any' }), true)
  assert.equal(matchesDevice(device, { warning: 'offline' }), false)
  assert.equal(matchesDevice(device, { isControllable: 'no' }), false)
  assert.equal(matchesDevice(device, { name: 'sensor' }), false)
})

it('a change of a webhook sends only what differs', () => {
  const webhook = {
    webhookUuid: 'w',
    url: 'https://a.example/',
    description: null,
    eventTypes: null,
    siteUuids: ['s'],
    heartbeat: false,
    state: 'enabled',
    reason: null,
    failingSince: null,
    lastDeliveredAt: null,
    waiting: 0,
    oldestWaitingAt: null,
    lost: 0,
    createdAt: '',
    updatedAt: '',
  }
  const draft = toDraft(webhook)
  assert.deepEqual(toChanges(webhook, draft), {})
  assert.deepEqual(
    toChanges(webhook, { ...draft, isAllTypes: false, eventTypes: ['device.offline'], isAllSites: true }),
    { eventTypes: ['device.offline'], siteUuids: null },
  )
  assert.deepEqual(toNewWebhook({ ...draft, isAllSites: true }), { url: 'https://a.example/' })
})

it('a move names both spaces, and a time in no space has an entry', () => {
  const at = (hour: number): string => `2026-11-16T0${hour}:00:00.000Z`
  const titles = (...placements: [name: string, from: string | null, to: string | null][]): string[] =>
    toMoveEntries(
      placements.map(([spaceName, fromDateTime, toDateTime]) => ({
        spaceUuid: spaceName,
        spaceName,
        fromDateTime,
        toDateTime,
      })),
    ).map(({ title }) => title)
  assert.deepEqual(titles(['A', null, null]), [])
  assert.deepEqual(titles(['A', at(1), null]), ['Placed in A'])
  assert.deepEqual(titles(['A', null, at(1)], ['B', at(1), null]), ['Moved to B'])
  assert.deepEqual(titles(['A', null, at(1)], ['B', at(2), null]), ['Removed from A', 'Moved to B'])
})

it('messages rejected for the same reason in a row become one entry', () => {
  const rejection = (minute: number, reason: string) => ({
    timestamp: `2026-11-16T10:0${minute}:00.000Z`,
    topic: 't',
    reason,
    message: `What ${reason} means.`,
  })
  const entries = toRejectedEntries(
    [rejection(3, 'not-json'), rejection(2, 'malformed'), rejection(1, 'malformed')],
    'Europe/London',
  )
  assert.deepEqual(
    entries.map(({ title, text }) => [title, text]),
    [
      ['Message rejected', 'What not-json means. (not-json)'],
      ['2 messages rejected', 'What malformed means. (malformed) · since Mon 16 Nov, 10:01'],
    ],
  )
})
