import { bytesOf, type Fragment } from './fragment.ts'

/** Twenty thousand days of hours, or so. */
const MAX_BYTES = 64 * 1024 * 1024

/** The fragments of one series and interval, by the number of their row, while nothing they were made of has changed. */
export interface SeriesFragments {
  get(number: number): Fragment | undefined
  put(number: number, fragment: Fragment): void
}

/** Where the store cannot say what has changed. */
export const NOTHING_KEPT: SeriesFragments = { get: () => undefined, put() {} }

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

export function createFragments(maxBytes = MAX_BYTES): Fragments {
  /** The least recently used first. */
  const kept = new Map<string, Kept>()
  let bytes = 0

  const drop = (key: string, { bytes: freed }: Kept): void => {
    kept.delete(key)
    bytes -= freed
  }

  const makeRoom = (): void => {
    for (const [key, oldest] of kept) {
      if (bytes <= maxBytes) return
      drop(key, oldest)
    }
  }

  return {
    of(key, version) {
      let own = kept.get(key)
      if (own) kept.delete(key)
      if (own && own.version !== version) {
        bytes -= own.bytes
        own = undefined
      }
      const current = own ?? { version, fragments: new Map<number, Fragment>(), bytes: 0 }
      kept.set(key, current)
      return {
        get: (number) => current.fragments.get(number),
        put(number, fragment) {
          // Who took its time may come when the fragments were dropped already: then nobody needs this one.
          if (kept.get(key) !== current || current.fragments.has(number)) return
          const size = bytesOf(fragment)
          current.fragments.set(number, fragment)
          current.bytes += size
          bytes += size
          makeRoom()
        },
      }
    },
  }
}
