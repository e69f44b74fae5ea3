import assert from 'node:assert/strict'
import type { ReadingRecord, Report, IngestChannel } from '../clients/ingest-channels.ts'
import type { Random } from './random.ts'
import type { Arrival } from './scenario.ts'

/** Delivers a batch and compares the reported counts, if any, with what had arrived before. */
export async function deliver(
  way: IngestChannel,
  batch: readonly Arrival[],
  before: readonly Arrival[],
  random: Random,
): Promise<void> {
  if (batch.length === 0) return
  const report = await way.send(batch.map((arrival) => toRecord(arrival, random)))
  if (report) assertReport(report, expectCounts(batch, before), way.name)
}

/**
 * If a delivery contains an instant several times, the API only promises that each record is counted once, not whether
 * the intermediate ones count as replaced.
 */
function assertReport(report: Report, expected: Counts, name: string): void {
  const { repeated, ...counts } = expected
  if (repeated === 0) return assert.deepEqual(report, counts, `the report of ${name}`)
  const sum = ({ accepted, replaced, unchanged }: Report): number => accepted + replaced + unchanged
  assert.equal(report.refusedCount, 0, name)
  assert.equal(report.accepted, counts.accepted, name)
  assert.equal(sum(report), sum(counts), name)
}

interface Counts extends Report {
  repeated: number
}

/** Writes an instant with a random offset, with or without zero seconds and milliseconds. */
function toRecord({ member, at, value }: Arrival, random: Random): ReadingRecord {
  const { deviceUuid, metricType } = member
  const instant = Temporal.Instant.fromEpochMilliseconds(at)
  const offset = random.pick(['UTC', '+05:45', '-03:30', '+14:00'])
  const written = random.chance(0.7)
    ? instant.toString()
    : instant.toZonedDateTimeISO(offset).toString({ timeZoneName: 'never' })
  return { deviceUuid, metricType, timestamp: written, value }
}

function expectCounts(batch: readonly Arrival[], before: readonly Arrival[]): Counts {
  const key = ({ member, at }: Arrival): string => `${member.deviceUuid} ${at}`
  const stored = new Map(before.map((arrival) => [key(arrival), arrival.value]))
  const counts: Counts = { accepted: 0, replaced: 0, unchanged: 0, refusedCount: 0, repeated: 0 }
  for (const arrival of batch) {
    const known = stored.get(key(arrival))
    if (known === undefined) counts.accepted += 1
    else if (known === arrival.value) counts.unchanged += 1
    else counts.replaced += 1
    stored.set(key(arrival), arrival.value)
  }
  counts.repeated = batch.length - new Set(batch.map(key)).size
  return counts
}
