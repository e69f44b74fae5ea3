import { bytesOf, type Fragment } from './fragment.ts'

/** Some fifteen thousand days of hours. */
const MAX_BYTES = 64 * 1024 * 1024

/** The fragments of one series and interval, by the number of their row, while nothing they were made of has changed. */
export interface SeriesFragments {
  get(number: number): Fragment | undefined
  put(number: number, fragment: Fragment): void
}

/** Fragments that are kept until something they were made of changes, or there is no room for them. */
export interface Fragments {
  /** `version` says what the fragments were made of: those of another are dropped. */
  of(key: string, version: string): SeriesFragments
}

interface Kept {
  version: string
  fragments: Map<number, Fragment>
  bytes: number
}

/** What an entry takes without any fragment, about. */
const ENTRY_BYTES = 500

export function createFragments(maxBytes = MAX_BYTES): Fragments {
  /** The least recently used first. */
  const kept = new Map<string, Kept>()
  let bytes = 0

  const makeRoom = (): void => {
    for (const [key, oldest] of kept) {
      if (bytes <= maxBytes) return
      kept.delete(key)
      bytes -= oldest.bytes
    }
  }

  const begin = (version: string): Kept => {
    bytes += ENTRY_BYTES
    return { version, fragments: new Map(), bytes: ENTRY_BYTES }
  }

  return {
    of(key, version) {
      const known = kept.get(key)
      const isCurrent = known?.version === version
      if (known && !isCurrent) bytes -= known.bytes
      const own = known && isCurrent ? known : begin(version)
      // Set anew, it is the youngest; which one is does not matter while there is plenty of room.
      if (!isCurrent || bytes > maxBytes / 2) {
        kept.delete(key)
        kept.set(key, own)
        makeRoom()
      }
      return {
        get: (number) => own.fragments.get(number),
        put(number, fragment) {
          // Whoever took its time may find that nobody can use this one any more.
          if (kept.get(key) !== own) return
          const before = own.fragments.get(number)
          const size = bytesOf(fragment) - (before ? bytesOf(before) : 0)
          own.fragments.set(number, fragment)
          own.bytes += size
          bytes += size
          makeRoom()
        },
      }
    },
  }
}
