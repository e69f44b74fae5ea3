export type IdentifiedKind = 'site' | 'building' | 'space' | 'device'

/** Kinds that have a version 1 number. */
export type NumberedKind = Exclude<IdentifiedKind, 'device'>

/** An entry of the document: its UUID, the number it requests, and its path in the document. */
export interface IdentifiedRecord {
  uuid: string
  /** The version 1 number; null keeps the entry's number or assigns a free one. Devices have none. */
  legacyId: number | null
  field: string
}

/** A stored record, of any site, with one of the UUIDs or numbers of the document. */
export interface KnownIdentifier {
  uuid: string
  siteUuid: string
  legacyId: number | null
}

/** A number in use in any site. */
export interface UsedNumber {
  uuid: string
  number: number
}

export interface NumberDecision {
  /** The number of each entry, by UUID. */
  numbers: Map<string, number>
  /** Entries whose number changes. The old numbers must all be cleared before new ones are set: two may be swapped. */
  renumbered: [uuid: string, number: number][]
  /** UUIDs that are new to the installation. */
  added: string[]
}

/** Whether a free number must be assigned, which requires loading all numbers in use. */
export function needsFreeNumber(
  entries: readonly IdentifiedRecord[],
  known: readonly KnownIdentifier[],
): boolean {
  const numbers = new Map(known.map(({ uuid, legacyId }) => [uuid, legacyId]))
  return entries.some(({ uuid, legacyId }) => (legacyId ?? numbers.get(uuid) ?? null) === null)
}

/** Throws a `Conflict` if another record has an identifier or number. `used` is needed only if `needsFreeNumber`. */
export function decideNumbers(
  siteUuid: string,
  kind: NumberedKind,
  entries: readonly IdentifiedRecord[],
  known: readonly KnownIdentifier[],
  used: readonly UsedNumber[],
): NumberDecision {
  const added = decideAdded(siteUuid, kind, entries, known)
  requireUntaken(entries, known)
  const before = new Map(known.map(({ uuid, legacyId }) => [uuid, legacyId]))
  const requested = new Map(entries.map(({ uuid, legacyId }) => [uuid, legacyId]))
  // An entry that requests a number releases its current one.
  const taken = new Set(
    used.flatMap(({ uuid, number }) => ((requested.get(uuid) ?? null) === null ? number : [])),
  )
  for (const { legacyId } of entries) if (legacyId !== null) taken.add(legacyId)
  const assignFree = createLegacyIdAllocator(taken)
  const numbers = new Map<string, number>()
  for (const { uuid, legacyId } of entries) {
    const number = legacyId ?? before.get(uuid) ?? assignFree()
    numbers.set(uuid, number)
  }
  const renumbered = [...numbers].filter(([uuid, number]) => before.has(uuid) && before.get(uuid) !== number)
  return { numbers, renumbered, added }
}

/** The UUIDs that are new to the installation. Throws a `Conflict` for a UUID of another site. */
export function decideAdded(
  siteUuid: string,
  kind: IdentifiedKind,
  entries: readonly IdentifiedRecord[],
  known: readonly KnownIdentifier[],
): string[] {
  const owners = new Map(known.map((one) => [one.uuid, one.siteUuid]))
  const foreign = entries.find(({ uuid }) => (owners.get(uuid) ?? siteUuid) !== siteUuid)
  if (foreign) throw new Conflict(`${foreign.field}.${kind}Uuid`, 'belongs to another site')
  return entries.filter(({ uuid }) => !owners.has(uuid)).map(({ uuid }) => uuid)
}

/**
 * Throws a `Conflict` for a legacy id that is in use. It is free if no record has it, or if the document gives its current
 * holder another one.
 */
function requireUntaken(entries: readonly IdentifiedRecord[], known: readonly KnownIdentifier[]): void {
  const requested = new Map(entries.map(({ uuid, legacyId }) => [uuid, legacyId]))
  const holders = new Map(known.map(({ uuid, legacyId }) => [legacyId, uuid]))
  const conflicting = entries.find(({ uuid, legacyId }) => {
    const holder = legacyId === null ? undefined : holders.get(legacyId)
    return holder !== undefined && holder !== uuid && (requested.get(holder) ?? legacyId) === legacyId
  })
  if (conflicting) throw new Conflict(`${conflicting.field}.legacyId`, 'is already in use')
}

/** A document that cannot be applied. `decideInventory` converts it to an outcome. */
export class Conflict extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

const HIGHEST_LEGACY_ID = 2_147_483_647

/** Assigns the legacy ids after the highest in use; when the highest possible one is in use, fills the gaps from 1 upwards. */
function createLegacyIdAllocator(used: ReadonlySet<number>): () => number {
  let highest = 0
  for (const legacyId of used) highest = Math.max(highest, legacyId)
  let gap = 0
  return () => {
    if (highest < HIGHEST_LEGACY_ID) return (highest += 1)
    do gap += 1
    while (used.has(gap))
    return gap
  }
}
