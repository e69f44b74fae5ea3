export type IdentifiedKind = 'site' | 'building' | 'space' | 'device'

/** Kinds with a number of version 1. */
export type NumberedKind = Exclude<IdentifiedKind, 'device'>

/** An entry of the document: its UUID, the number it asks for, and its place in the document. */
export interface IdentifiedRecord {
  uuid: string
  /** The number of version 1; null asks for the one that the entry has, or else for a free one. Devices have none. */
  legacyId: number | null
  field: string
}

/** What a store knows under one of the UUIDs or numbers of the document, in whatever site. */
export interface KnownIdentifier {
  uuid: string
  siteUuid: string
  legacyId: number | null
}

/** A number in use, in whatever site. */
export interface UsedNumber {
  uuid: string
  number: number
}

export interface NumberDecision {
  /** The number of each entry, by UUID. */
  numbers: Map<string, number>
  /** Entries that get another number than they have. All of them give up theirs before one gets a new one: two may swap. */
  renumbered: [uuid: string, number: number][]
  /** UUIDs that no site has had yet. */
  added: string[]
}

/** Whether a free number has to be found, for which all numbers in use have to be loaded. */
export function needsFreeNumber(
  entries: readonly IdentifiedRecord[],
  known: readonly KnownIdentifier[],
): boolean {
  const numbers = new Map(known.map(({ uuid, legacyId }) => [uuid, legacyId]))
  return entries.some(({ uuid, legacyId }) => (legacyId ?? numbers.get(uuid) ?? null) === null)
}

/** Throws a `Conflict` for an identifier or number of another. `used` is only needed if a free number has to be found. */
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
  const given = new Map(entries.map(({ uuid, legacyId }) => [uuid, legacyId]))
  // An entry that asks for a number gives up the one it has.
  const taken = new Set(
    used.flatMap(({ uuid, number }) => ((given.get(uuid) ?? null) === null ? number : [])),
  )
  for (const { legacyId } of entries) if (legacyId !== null) taken.add(legacyId)
  const numbers = new Map<string, number>()
  for (const { uuid, legacyId } of entries) {
    const number = legacyId ?? before.get(uuid) ?? freeLegacyId(taken)
    taken.add(number)
    numbers.set(uuid, number)
  }
  const renumbered = [...numbers].filter(([uuid, number]) => before.has(uuid) && before.get(uuid) !== number)
  return { numbers, renumbered, added }
}

/** The UUIDs that no site has had yet. Throws a `Conflict` for one of another site. */
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

/** A number is free if no entry has it, or the one that has it gets another by the same document. */
function requireUntaken(entries: readonly IdentifiedRecord[], known: readonly KnownIdentifier[]): void {
  const given = new Map(entries.map(({ uuid, legacyId }) => [uuid, legacyId]))
  const holders = new Map(known.map(({ uuid, legacyId }) => [legacyId, uuid]))
  const taking = entries.find(({ uuid, legacyId }) => {
    const holder = legacyId === null ? undefined : holders.get(legacyId)
    return holder !== undefined && holder !== uuid && (given.get(holder) ?? legacyId) === legacyId
  })
  if (taking) throw new Conflict(`${taking.field}.legacyId`, 'is used by another')
}

/** A document that cannot be applied. `decideInventory` makes an outcome of it. */
export class Conflict extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

const HIGHEST_LEGACY_ID = 2_147_483_647

/** The next after the highest; where somebody took the very last, the first gap. */
export function freeLegacyId(used: ReadonlySet<number>): number {
  const next = used.size === 0 ? 1 : [...used].reduce((highest, id) => Math.max(highest, id)) + 1
  if (next <= HIGHEST_LEGACY_ID) return next
  let gap = 1
  while (used.has(gap)) gap += 1
  return gap
}
