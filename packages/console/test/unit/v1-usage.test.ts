import type { V1Usage } from '@portico/sdk'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toProgress, toReplacement, toV1Path } from '../../src/partner/v1-usage.ts'

const NOW = Date.parse('2026-11-17T12:00:00Z')
const DETAILS = '/spaces/details/{spaceId}'
const MONTHLY = '/spaces/utilities/{spaceId}/monthly'

const endpoint = (path: string, changes: Partial<V1Usage> = {}): V1Usage => ({
  method: 'GET',
  path,
  state: 'replaced',
  replacement: '/spaces/{spaceuuid}/overview',
  calls: 0,
  lastSeenAt: null,
  deprecatedAt: null,
  sunsetAt: null,
  ...changes,
})

describe('the progress of a migration', () => {
  test('of a partner that never called version 1 has no share', () => {
    const { called, unused, movedShare, lastSeenAt } = toProgress([endpoint(DETAILS)], NOW)
    assert.deepEqual(
      { called, unused: unused.length, movedShare, lastSeenAt },
      {
        called: [],
        unused: 1,
        movedShare: undefined,
        lastSeenAt: undefined,
      },
    )
  })

  test('an endpoint has moved after seven days without a call', () => {
    const recent = endpoint(DETAILS, { calls: 3, lastSeenAt: '2026-11-17T11:00:00.000Z' })
    const old = endpoint(MONTHLY, { calls: 9, lastSeenAt: '2026-11-10T11:59:59.000Z' })
    const progress = toProgress([old, recent, endpoint('/tenant/logo')], NOW)
    assert.deepEqual(progress.called, [recent, old])
    assert.deepEqual(progress.active, [recent])
    assert.equal(progress.movedShare, 0.5)
    assert.equal(progress.lastSeenAt, recent.lastSeenAt)
  })

  test('the next end is that of an endpoint that is still called', () => {
    const lastSeenAt = '2026-11-17T11:00:00.000Z'
    const later = endpoint(DETAILS, { calls: 1, lastSeenAt, sunsetAt: '2027-06-01T00:00:00.000Z' })
    const sooner = endpoint(MONTHLY, { calls: 1, lastSeenAt, sunsetAt: '2027-01-01T00:00:00.000Z' })
    const unused = endpoint('/tenant/logo', { sunsetAt: '2026-12-01T00:00:00.000Z' })
    assert.deepEqual(toProgress([later, sooner, unused], NOW).nextSunset, sooner)
  })
})

describe('the replacement of an endpoint', () => {
  const identifiers = { space: { id: 17, uuid: '56488057-f6e8-5358-9d8b-6229eb41867e' } }

  test('has the identifiers of the space in both versions', () => {
    assert.equal(toV1Path(DETAILS, identifiers), '/spaces/details/17')
    const replacement = toReplacement(endpoint(DETAILS), identifiers, '2026-11-17')
    assert.equal(replacement?.path, `/spaces/${identifiers.space.uuid}/overview`)
    assert.deepEqual(replacement.query, {})
  })

  test('of months begins eleven months before the current one', () => {
    const found = toReplacement(
      endpoint(MONTHLY, { replacement: '/spaces/{spaceuuid}/aggregate/{metrictype}/daily' }),
      identifiers,
      '2026-11-17',
    )
    assert.equal(found?.path, `/spaces/${identifiers.space.uuid}/aggregate/electricity/daily`)
    assert.deepEqual(found.query, { interval: 'P1M', fromDateTime: '2025-12-01' })
  })

  test('keeps its placeholder without a space', () => {
    assert.equal(toReplacement(endpoint(DETAILS), {}, '2026-11-17')?.path, '/spaces/{spaceuuid}/overview')
  })

  test('does not exist for endpoints that version 2 does not replace', () => {
    assert.equal(toReplacement(endpoint('/tenant/logo', { replacement: null }), {}, '2026-11-17'), undefined)
  })
})
