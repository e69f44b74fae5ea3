import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findConcerns, toVerdict } from '../../../src/operator/concerns.ts'
import { HEALTHY, NOW } from './health.ts'

const texts = (health: Partial<typeof HEALTHY>): string[] =>
  findConcerns({ ...HEALTHY, ...health }, NOW).map(({ text }) => text)

describe('the verdict on an installation', () => {
  it('is good if nothing failed and nothing expires', () => {
    assert.deepEqual(findConcerns(HEALTHY, NOW), [])
    assert.equal(toVerdict([]), 'All is well')
  })

  it('counts what needs attention', () => {
    const concern = { text: '', href: '', isUrgent: false }
    assert.equal(toVerdict([concern]), '1 thing needs attention')
    assert.equal(toVerdict([concern, concern, concern]), '3 things need attention')
  })

  it('names each thing with the page that explains it', () => {
    assert.deepEqual(findConcerns({ ...HEALTHY, rejected: [{ reason: 'not-json', messages: 2 }] }, NOW), [
      {
        text: '2 messages rejected in the last hour',
        href: '/console/operator/rejected',
        isUrgent: false,
      },
    ])
  })

  it('lists what is urgent first', () => {
    const concerns = findConcerns(
      {
        ...HEALTHY,
        notReady: ['The store does not accept writes.'],
        commands: [{ state: 'FAILED', commands: 1 }],
      },
      NOW,
    )
    assert.deepEqual(
      concerns.map(({ text, isUrgent }) => [text, isUrgent]),
      [
        ['The server is not ready: The store does not accept writes.', true],
        ['1 command failed today', false],
      ],
    )
  })

  it('tells a secret that has expired from one that will', () => {
    const secret = { partnerUuid: 'p', partnerName: 'Residents’ app', secretId: 's', hint: 'q7F' }
    assert.deepEqual(
      texts({
        expiringSecrets: [
          { ...secret, expiresAt: new Date(NOW + 12 * 86_400_000).toISOString() },
          { ...secret, expiresAt: new Date(NOW - 2 * 86_400_000).toISOString() },
        ],
      }),
      ['A secret of Residents’ app expired 2 days ago', 'A secret of Residents’ app expires in 12 days'],
    )
  })

  it('notices that readings stopped, but not that there never were any', () => {
    const ingest = { ...HEALTHY.ingest, newestReadingAt: new Date(NOW - 7_200_000).toISOString() }
    assert.deepEqual(texts({ ingest }), ['The newest reading arrived 2 hours ago'])
    assert.deepEqual(texts({ ingest: { ...ingest, newestReadingAt: null } }), [])
  })
})
