import { bytesOf, type Fragment } from './fragment.ts'
import type { SeriesText } from './series-texts.ts'

/** The fragments of one series and interval, by the number of their row, while nothing they were made of has changed. */
export interface SeriesFragments {
  get(number: number): Fragment | undefined
  put(number: number, fragment: Fragment): void
  /** Neither found nor kept any more. */
  isGone(): boolean
}

/** With series that are made of nothing but fragments kept here and, where `others` are named, there: by the edges of their windows. */
export interface KeptSeries extends SeriesFragments {
  textOf(edges: readonly number[], others: SeriesFragments | undefined): SeriesText | undefined
  putText(edges: readonly number[], others: SeriesFragments | undefined, text: SeriesText): void
}

/** Fragments that are kept until something they were made of changes, or there is no room for them. */
export interface Fragments {
  /** `version` says what the fragments were made of: those of another are dropped. */
  of(key: string, version: string): KeptSeries
}

/** What an entry takes without any fragment, and a series made of them, about. */
const ENTRY_BYTES = 500
const TEXT_BYTES = 1_000

export function createFragments(maxBytes: number): Fragments {
  /** In the order in which they will be looked at when there is no room. */
  const kept = new Map<string, Kept>()
  let bytes = 0

  const take = (size: number): void => {
    bytes += size
    for (const [key, oldest] of kept) {
      if (bytes <= maxBytes) return
      kept.delete(key)
      // Who was asked for since it was looked at last stays for another round.
      if (oldest.wasUsed()) kept.set(key, oldest)
      else bytes -= oldest.drop()
    }
  }

  return {
    of(key, version) {
      const known = kept.get(key)
      if (known?.version === version) {
        known.use()
        return known
      }
      if (known) {
        kept.delete(key)
        bytes -= known.drop()
      }
      const made = new Kept(version, take)
      kept.set(key, made)
      take(ENTRY_BYTES)
      return made
    },
  }
}

class Kept implements KeptSeries {
  readonly version: string
  readonly #take: (size: number) => void
  readonly #fragments = new Map<number, Fragment>()
  readonly #texts = new Map<readonly number[], { others: SeriesFragments | undefined; text: SeriesText }>()
  #bytes = ENTRY_BYTES
  #isUsed = false
  #isGone = false

  constructor(version: string, take: (size: number) => void) {
    this.version = version
    this.#take = take
  }

  get(number: number): Fragment | undefined {
    this.#isUsed = true
    return this.#fragments.get(number)
  }

  put(number: number, fragment: Fragment): void {
    // Whoever took its time may find that nobody can use this one any more.
    if (this.#isGone) return
    const before = this.#fragments.get(number)
    const size = bytesOf(fragment) - (before ? bytesOf(before) : 0)
    this.#fragments.set(number, fragment)
    this.#bytes += size
    this.#take(size)
  }

  textOf(edges: readonly number[], others: SeriesFragments | undefined): SeriesText | undefined {
    const known = this.#texts.get(edges)
    if (known?.others && known.others !== others) return undefined
    this.#isUsed = true
    return known?.text
  }

  putText(edges: readonly number[], others: SeriesFragments | undefined, text: SeriesText): void {
    if (this.#isGone) return
    const size = this.#texts.has(edges) ? 0 : TEXT_BYTES
    this.#texts.set(edges, { others, text })
    this.#bytes += size
    this.#take(size)
  }

  isGone(): boolean {
    return this.#isGone
  }

  use(): void {
    this.#isUsed = true
  }

  /** Since this was asked the last time. */
  wasUsed(): boolean {
    const isUsed = this.#isUsed
    this.#isUsed = false
    return isUsed
  }

  /** Answers how much room there is then. */
  drop(): number {
    this.#isGone = true
    this.#fragments.clear()
    this.#texts.clear()
    return this.#bytes
  }
}
