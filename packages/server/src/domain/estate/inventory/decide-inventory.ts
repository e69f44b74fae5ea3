import type { AuditEntry } from '../../identity/audit.ts'
import {
  Conflict,
  decideAdded,
  decideNumbers,
  type IdentifiedKind,
  type IdentifiedRecord,
  type KnownIdentifier,
  needsFreeNumber,
  type NumberDecision,
  type NumberedKind,
  type UsedNumber,
} from './decide-identifiers.ts'
import {
  type ChangedKind,
  decideDevices,
  type DeviceDecision,
  findChangedKinds,
  type StoredDeviceRow,
} from './decide-devices.ts'
import {
  addChanges,
  changesZone,
  decideRecords,
  decideSite,
  type RecordDecision,
  type SiteDecision,
  type StoredRecord,
} from './decide-records.ts'
import type { InventoryChanges, InventoryDocument } from './inventory.ts'

/** The state of a site that a store loads before it applies a document. */
export interface InventoryState {
  site: { timeZone: string; record: string } | undefined
  buildings: ReadonlyMap<string, StoredRecord>
  spaces: ReadonlyMap<string, StoredRecord>
  devices: ReadonlyMap<string, StoredDeviceRow>
  /** Records, of any site, with one of the UUIDs or numbers of the document. */
  known: Record<IdentifiedKind, readonly KnownIdentifier[]>
}

/** Facts that few documents need, and that are expensive to load. */
export interface NeededFacts {
  /** Kinds of which all numbers in use are needed, to assign free ones. */
  kindsToNumber: readonly NumberedKind[]
  /** Whether the site has readings. */
  siteReadings: boolean
  /** Metrics for which it must be known whether they have readings. */
  metricReadings: readonly ChangedKind[]
}

export interface InventoryFacts {
  usedNumbers: Partial<Record<NumberedKind, readonly UsedNumber[]>>
  siteHasReadings: boolean
  /** The metrics of `NeededFacts.metricReadings` that have readings, in the same order. */
  measured: readonly ChangedKind[]
}

export interface InventoryDecision {
  outcome: 'decided'
  numbers: Record<NumberedKind, NumberDecision>
  /** UUIDs of devices that are new to the installation. */
  addedDevices: readonly string[]
  site: SiteDecision
  buildings: RecordDecision
  spaces: RecordDecision
  devices: DeviceDecision
  changes: InventoryChanges
  /** Stored with the changes, which also increment the inventory version; undefined if nothing changes. */
  audit: AuditEntry | undefined
}

export interface InventoryConflict {
  outcome: 'conflict'
  field: string
  message: string
}

/** The identifiers of a document by kind, with their paths in it. */
export const toEntries = ({
  site,
  buildings,
  spaces,
  devices,
}: InventoryDocument): Record<IdentifiedKind, IdentifiedRecord[]> => ({
  site: [{ uuid: site.siteUuid, legacyId: site.legacyId, field: 'site' }],
  building: buildings.map(({ buildingUuid, legacyId }, index) => ({
    uuid: buildingUuid,
    legacyId,
    field: `buildings.${index}`,
  })),
  space: spaces.map(({ spaceUuid, legacyId }, index) => ({
    uuid: spaceUuid,
    legacyId,
    field: `spaces.${index}`,
  })),
  device: devices.map(({ deviceUuid }, index) => ({
    uuid: deviceUuid,
    legacyId: null,
    field: `devices.${index}`,
  })),
})

const NUMBERED: readonly NumberedKind[] = ['site', 'building', 'space']

export function findNeededFacts(state: InventoryState, document: InventoryDocument): NeededFacts {
  const entries = toEntries(document)
  return {
    kindsToNumber: NUMBERED.filter((kind) => needsFreeNumber(entries[kind], state.known[kind])),
    siteReadings: changesZone(document.site, state.site?.timeZone),
    metricReadings: findChangedKinds(document.devices, state.devices),
  }
}

/** Everything that a store writes to apply a document to a site. Conflicts are found in document order. */
export function decideInventory(
  state: InventoryState,
  facts: InventoryFacts,
  document: InventoryDocument,
  entry: AuditEntry,
): InventoryDecision | InventoryConflict {
  try {
    return decide(state, facts, document, entry)
  } catch (error) {
    if (!(error instanceof Conflict)) throw error
    return { outcome: 'conflict', field: error.field, message: error.message }
  }
}

function decide(
  state: InventoryState,
  facts: InventoryFacts,
  document: InventoryDocument,
  entry: AuditEntry,
): InventoryDecision {
  const { siteUuid } = document.site
  const entries = toEntries(document)
  const decideKind = (kind: NumberedKind): NumberDecision =>
    decideNumbers(siteUuid, kind, entries[kind], state.known[kind], facts.usedNumbers[kind] ?? [])

  const ofSite = decideKind('site')
  const site = decideSite(document.site, ofSite.numbers.get(siteUuid), state.site, facts.siteHasReadings)
  const ofBuildings = decideKind('building')
  const buildings = decideRecords(
    document.buildings,
    ({ buildingUuid }) => buildingUuid,
    ofBuildings.numbers,
    state.buildings,
  )
  const ofSpaces = decideKind('space')
  const spaces = decideRecords(document.spaces, ({ spaceUuid }) => spaceUuid, ofSpaces.numbers, state.spaces)
  const addedDevices = decideAdded(siteUuid, 'device', entries.device, state.known.device)
  const [measured] = facts.measured
  if (measured) throw new Conflict(measured.field, 'cannot change once there are readings')
  const devices = decideDevices(document.devices, state.devices, entry.at)

  const ofTheSite = { created: 0, updated: 0, archived: 0, unchanged: 0, [site.outcome]: 1 }
  const changes = [ofTheSite, buildings.changes, spaces.changes, devices.changes].reduce(addChanges)
  const isChanged = changes.created + changes.updated + changes.archived > 0
  return {
    outcome: 'decided',
    numbers: { site: ofSite, building: ofBuildings, space: ofSpaces },
    addedDevices,
    site,
    buildings,
    spaces,
    devices,
    changes,
    audit: isChanged ? { ...entry, detail: { ...entry.detail, ...changes } } : undefined,
  }
}
