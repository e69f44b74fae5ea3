import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  decideOutcome,
  getProbeDelayMs,
  MAX_TRIES,
  RETRY_TOTAL_MS,
  toAttempt,
  toVerdict,
  type Verdict,
} from '../../../../src/domain/webhook/rules.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const HOUR = 3_600_000
const response = (status: number, retryAfter?: string) => ({ status, retryAfter, response: '' })

describe('a response', () => {
  const cases: [result: Parameters<typeof toVerdict>[0], verdict: Verdict][] = [
    [response(200), { kind: 'delivered' }],
    [response(204), { kind: 'delivered' }],
    [response(299), { kind: 'delivered' }],
    [response(301), { kind: 'failed', error: 'status' }],
    [response(404), { kind: 'failed', error: 'status' }],
    [response(410), { kind: 'gone' }],
    [response(429), { kind: 'wait', ms: 30_000 }],
    [response(429, '7'), { kind: 'wait', ms: 7_000 }],
    [response(429, '0'), { kind: 'wait', ms: 1_000 }],
    [response(429, '999999999'), { kind: 'wait', ms: 24 * HOUR }],
    [response(429, 'Sun, 15 Nov 2026 12:01:00 GMT'), { kind: 'wait', ms: 60_000 }],
    [response(429, 'soon'), { kind: 'wait', ms: 30_000 }],
    [response(503), { kind: 'failed', error: 'status' }],
    [response(503, '60'), { kind: 'wait', ms: 60_000 }],
    [
      { status: undefined, error: 'timeout' },
      { kind: 'failed', error: 'timeout' },
    ],
  ]
  for (const [result, verdict] of cases)
    test(`${JSON.stringify(result)} is ${verdict.kind}`, () =>
      assert.deepEqual(toVerdict(result, NOW), verdict))
})

describe('a delivery', () => {
  const key = { siteUuid: 's', webhookUuid: 'w', number: 7, round: 0 }
  const failed: Verdict = { kind: 'failed', error: 'status' }
  const attempt = toAttempt(response(500), NOW, 5)
  const healthy = { isFailing: false, isPassing: true }
  const decide = (
    tries: number,
    verdict: Verdict = failed,
    endpoint = healthy,
    random = 0.5,
    givesWay = false,
  ) => decideOutcome({ ...key, tries, givesWay }, verdict, attempt, endpoint, NOW, random)

  test('is tried ten times in 75 hours', () => {
    const pauses = Array.from({ length: MAX_TRIES - 1 }, (_, tries) => decide(tries).dueAt - NOW)
    assert.deepEqual(pauses, [
      5_000,
      300_000,
      1_800_000,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
    ])
    assert.equal(MAX_TRIES, 10)
    assert.equal(Math.floor(RETRY_TOTAL_MS / HOUR), 75)
    assert.deepEqual([decide(8).state, decide(9).state], ['waiting', 'failed'])
  })

  test('is retried up to a tenth sooner or later', () => {
    assert.equal(decide(0, failed, healthy, 0).dueAt - NOW, 4_500)
    assert.equal(decide(0, failed, healthy, 1).dueAt - NOW, 5_500)
  })

  test('gives way after the fourth failed try if other events pass, and stays so', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((tries) => decide(tries).givesWay),
      [false, false, false, true, true],
    )
    assert.equal(decide(3, failed, { isFailing: false, isPassing: false }).givesWay, false)
    assert.equal(decide(5, failed, healthy, 0.5, true).givesWay, true)
  })

  test('uses up no try while its endpoint is failing or asks to wait', () => {
    for (const outcome of [
      decide(3, failed, { isFailing: true, isPassing: true }),
      decide(3, { kind: 'wait', ms: 1 }),
      decide(3, { kind: 'gone' }),
    ])
      assert.deepEqual([outcome.state, outcome.tries, outcome.dueAt], ['waiting', 3, NOW])
  })
})

test('a failing endpoint is probed after 30 s, 1, 2 and 5 minutes, then every 10 minutes', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 700].map((probes) => getProbeDelayMs(probes) / 1_000),
    [30, 60, 120, 300, 600, 600, 600],
  )
})
