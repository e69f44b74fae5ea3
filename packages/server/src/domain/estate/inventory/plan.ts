import type { InventoryConflict, InventoryDecision, InventoryState } from './decide-inventory.ts'
import type { StoredRecord } from './decide-records.ts'
import type { ArchivedRecord, PlanOutcome } from './store.ts'

/** What a decision would change, with the records that it archives. */
export function toPlan(
  { buildings, spaces, devices }: InventoryState,
  decision: InventoryDecision | InventoryConflict,
): PlanOutcome {
  if (decision.outcome === 'conflict') return decision
  const archivedDevices = [...decision.devices.written]
    .filter(([, { archivedAt }]) => archivedAt !== null)
    .map(([uuid]) => uuid)
  return {
    outcome: 'planned',
    changes: decision.changes,
    archived: [
      ...nameRecords('building', decision.buildings.archived, buildings),
      ...nameRecords('space', decision.spaces.archived, spaces),
      ...nameRecords('device', archivedDevices, devices),
    ],
  }
}

const nameRecords = (
  kind: ArchivedRecord['kind'],
  uuids: readonly string[],
  stored: ReadonlyMap<string, StoredRecord>,
): ArchivedRecord[] =>
  uuids.map((uuid) => {
    const record = JSON.parse(stored.get(uuid)?.record ?? '{}') as Record<string, string>
    return { kind, uuid, name: String(record[`${kind}Name`]) }
  })
