import { at } from '../../../kernel/at.ts'
import { type ByteReader, countBits } from '../reading/bytes.ts'
import { type GaugeCell, NO_GAUGE } from '../reading/cell.ts'
import { pushGap } from '../reading/gaps.ts'
import { readValues, skipValues } from '../reading/value-list.ts'

const QUARTER_MS = 15 * 60_000

/** A reading was valid for an hour: earlier releases had no other limit. */
const REACH = 4

/**
 * Reads a gauge row of a release that recorded in which quarter hours of each cell there are readings, instead of the
 * gaps between them. Such rows remain only for days whose readings have been deleted. Each quarter hour with a reading
 * counts as covered for an hour, and the time before the first one of a cell as covered if it is less than that.
 */
export function readQuarterHourRow(input: ByteReader): readonly (GaugeCell | undefined)[] {
  const length = input.unsigned()
  const there = input.bits(length)
  const hasReadings = input.bits(there.filter(Boolean).length)
  const read = hasReadings.filter(Boolean).length
  const counts = readValues(input, read)
  const seen: Uint8Array[] = []
  for (let index = 0; index < read; index += 1) {
    const size = input.unsigned()
    seen.push(size === 0 ? at(seen, index - 1) : input.take(size))
  }
  const [sums, mins, maxs] = [readValues(input, read), readValues(input, read), readValues(input, read)]
  let [cell, next] = [0, 0]
  return there.map((isClosed) => {
    if (!isClosed) return undefined
    if (!hasReadings[cell++]) return NO_GAUGE
    const index = next++
    return {
      count: at(counts, index),
      sum: at(sums, index),
      min: at(mins, index),
      max: at(maxs, index),
      standing: 0,
      gaps: toGaps(at(seen, index)),
    }
  })
}

function toGaps(bits: Uint8Array): number[] {
  const gaps: number[] = []
  /** The first quarter hour that is not covered yet. */
  let open = 0
  for (let quarter = 0; quarter < bits.length * 8; quarter += 1) {
    if ((at(bits, quarter >> 3) & (1 << (quarter & 7))) === 0) continue
    if (open > 0 || quarter >= REACH) pushGap(gaps, open * QUARTER_MS, quarter * QUARTER_MS)
    open = quarter + REACH
  }
  // The last byte may go beyond the end of the cell, and so may its last gap.
  pushGap(gaps, open * QUARTER_MS, bits.length * 8 * QUARTER_MS)
  return gaps
}

/** Skips everything after the length of the row. */
export function skipQuarterHourRow(input: ByteReader, length: number): void {
  const skipBits = (count: number): number => countBits(input.take((count + 7) >> 3))
  const read = skipBits(skipBits(length))
  skipValues(input, read)
  for (let cell = 0; cell < read; cell += 1) input.take(input.unsigned())
  for (let list = 0; list < 3; list += 1) skipValues(input, read)
}
