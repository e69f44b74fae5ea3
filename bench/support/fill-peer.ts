import type { Peer } from '../contenders/peers/peer.ts'
import { METRICS, STEP_MS, generateValues, type RoomReading } from './residence.ts'
import { send } from './send.ts'
import { untilIdle } from './usage.ts'
import type { Dataset } from './dataset.ts'

const READINGS_A_WRITE = 10_000

/** Writes the readings of the first rooms to another store. */
export async function fillPeer(peer: Peer, { from, to, residence }: Dataset, rooms: number): Promise<void> {
  const count = (to - from) / STEP_MS
  for (let room = 0; room < Math.min(rooms, residence.spaceUuids.length); room += 1) {
    for (const metric of METRICS) {
      const readings = Array.from(
        generateValues(metric, room, count),
        (value, index): RoomReading => ({ room, metric, at: from + index * STEP_MS, value }),
      )
      while (readings.length > 0) await send(peer.url, peer.write(readings.splice(0, READINGS_A_WRITE)))
    }
  }
  await untilIdle(peer.pid)
}
