import type { InventoryConflict, InventoryDecision, InventoryState } from './decide-inventory.ts'
import type { SiteDecision, StoredRecord } from './decide-records.ts'
import type { ArchivedRecord, PlannedRecord, PlanOutcome } from './store.ts'

/** Records that a plan lists. */
const MAX_LISTED = 1_000

/** The changes of a decision, with the records that it archives, adds and changes. */
export function toPlan(
  { buildings, spaces, devices }: InventoryState,
  decision: InventoryDecision | InventoryConflict,
): PlanOutcome {
  if (decision.outcome === 'conflict') return decision
  const archivedDevices = [...decision.devices.written]
    .filter(([, { archivedAt }]) => archivedAt !== null)
    .map(([uuid]) => uuid)
  const archived = [
    ...nameRecords('building', decision.buildings.archived, buildings),
    ...nameRecords('space', decision.spaces.archived, spaces),
    ...nameRecords('device', archivedDevices, devices),
  ]
  const writtenDevices = [...decision.devices.written]
    .filter(([, { archivedAt }]) => archivedAt === null)
    .map(([uuid, { record }]) => [uuid, record] as const)
  return {
    outcome: 'planned',
    changes: decision.changes,
    archived,
    records: [
      ...archived.map((record): PlannedRecord => ({ ...record, what: 'archived' })),
      ...toSiteRecord(decision.site),
      ...toWritten('building', decision.buildings.written, buildings),
      ...toWritten('space', decision.spaces.written, spaces),
      ...toWritten('device', writtenDevices, devices),
    ].slice(0, MAX_LISTED),
  }
}

const parseRecord = (record: string): Record<string, unknown> => JSON.parse(record) as Record<string, unknown>

function toSiteRecord({ outcome, record }: SiteDecision): PlannedRecord[] {
  if (outcome === 'unchanged') return []
  const { siteUuid, siteName } = parseRecord(record)
  return [{ kind: 'site', uuid: String(siteUuid), name: String(siteName), what: outcome }]
}

const toWritten = (
  kind: ArchivedRecord['kind'],
  written: Iterable<readonly [uuid: string, record: string]>,
  stored: ReadonlyMap<string, StoredRecord>,
): PlannedRecord[] =>
  Array.from(written)
    .slice(0, MAX_LISTED)
    .map(([uuid, record]) => ({
      kind,
      uuid,
      name: String(parseRecord(record)[`${kind}Name`]),
      what: stored.has(uuid) ? 'updated' : 'created',
    }))

const nameRecords = (
  kind: ArchivedRecord['kind'],
  uuids: readonly string[],
  stored: ReadonlyMap<string, StoredRecord>,
): ArchivedRecord[] =>
  uuids.map((uuid) => {
    const record = JSON.parse(stored.get(uuid)?.record ?? '{}') as Record<string, string>
    return { kind, uuid, name: String(record[`${kind}Name`]) }
  })
