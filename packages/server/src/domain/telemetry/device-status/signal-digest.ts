import { createHash } from 'node:crypto'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import type { ReportedSignals } from './status.ts'

/** Numbers that are hashed at a time. */
const NUMBERS_PER_STEP = 3_000

/** A short text that differs between different signals. */
export async function digestSignals({ latest, presences }: ReportedSignals): Promise<string> {
  const hash = createHash('sha1')
  let numbers: number[] = []
  for (const [seriesId, { at, value }] of latest) {
    numbers.push(seriesId, at, value)
    if (numbers.length < NUMBERS_PER_STEP) continue
    hash.update(Float64Array.from(numbers))
    numbers = []
    await yieldIfDue()
  }
  hash.update(Float64Array.from(numbers))
  for (const [uuid, { at, isOnline }] of presences) hash.update(`${uuid} ${at} ${isOnline} `)
  return hash.digest('base64')
}
