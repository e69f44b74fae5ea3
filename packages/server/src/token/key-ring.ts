import { createPublicKey, type KeyObject } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { JSONWebKeySet } from 'jose'
import type { Actor } from '../audit/audit.ts'
import type { Clock } from '../lib/clock.ts'
import { andThen, type MaybePromise } from '../lib/maybe-promise.ts'
import type { TokenAlgorithm } from './algorithm.ts'
import { createSigningKey, loadPrivateKey, type SigningKey } from './keys.ts'
import { TOKEN_LIFETIME_MS } from './lifetime.ts'
import type { SigningKeyStore } from './store.ts'

/** A rotation by another program is seen after this long at the latest. */
const FRESH_MS = 2_000
/** Unknown key ids make us look into the store again, but not more often than this: until then they wait. */
const LOOK_AGAIN_MS = 250
const LONG_AGO = Number.NEGATIVE_INFINITY
/** A retired key verifies until its last token has expired, and a little longer for clocks that differ. */
export const OVERLAP_MS = TOKEN_LIFETIME_MS + 5 * 60_000

export interface SigningPair {
  kid: string
  algorithm: TokenAlgorithm
  privateKey: KeyObject
}

export interface VerifyingKey {
  algorithm: TokenAlgorithm
  publicKey: KeyObject
}

export interface KeyRing {
  /** Makes the first key where there is none of the configured algorithm. */
  prepare(): Promise<void>
  current(): MaybePromise<SigningPair>
  find(kid: string): MaybePromise<VerifyingKey | undefined>
  published(): Promise<JSONWebKeySet>
  rotate(options: { revokePrevious: boolean }, actor: Actor): Promise<{ kid: string }>
  /** Call when keys have changed. */
  forget(): void
}

interface Loaded {
  at: number
  keys: SigningKey[]
  signing: SigningPair | undefined
  verifying: Map<string, VerifyingKey & { retiredAt: number | null }>
}

export function createKeyRing(deps: {
  store: SigningKeyStore
  clock: Clock
  algorithm: TokenAlgorithm
  /** Resolves when others who remember the keys have forgotten them. */
  onChange?(): Promise<void>
}): KeyRing {
  const { store, clock, algorithm } = deps
  let loaded: Loaded | undefined
  let loading: Promise<Loaded> | undefined
  let nextLook: Promise<Loaded> | undefined
  let changes = 0

  const load = (): Promise<Loaded> => {
    loading ??= read().finally(() => {
      loading = undefined
    })
    return loading
  }

  const read = async (): Promise<Loaded> => {
    const changesBefore = changes
    const keys = await store.list()
    const known = loaded
    const current = keys.find((key) => key.retiredAt === null && key.algorithm === algorithm)
    const sameKey = known?.signing && known.signing.kid === current?.kid
    loaded = {
      // What was read while it changed is good for whoever asked, and not to be remembered.
      at: changes === changesBefore ? clock.now() : LONG_AGO,
      keys,
      signing: sameKey
        ? known.signing
        : current && { kid: current.kid, algorithm, privateKey: loadPrivateKey(current) },
      verifying: new Map(
        keys.map((key) => [
          key.kid,
          {
            algorithm: key.algorithm,
            retiredAt: key.retiredAt,
            publicKey:
              known?.verifying.get(key.kid)?.publicKey ??
              createPublicKey({ key: key.privateKey, format: 'pem' }),
          },
        ]),
      ),
    }
    return loaded
  }

  const youngerThan = (ms: number): Loaded | undefined => {
    const age = loaded ? clock.now() - loaded.at : Number.POSITIVE_INFINITY
    return age >= 0 && age < ms ? loaded : undefined
  }

  const fresh = (): MaybePromise<Loaded> => youngerThan(FRESH_MS) ?? load()

  /** Another instance may have just begun to sign with it: a look that was under way before is not enough. */
  const lookAgain = (): Promise<Loaded> => {
    nextLook ??= (async () => {
      const wait = loaded ? loaded.at + LOOK_AGAIN_MS - clock.now() : 0
      await delay(Math.min(Math.max(wait, 0), LOOK_AGAIN_MS))
      nextLook = undefined
      return read()
    })()
    return nextLook
  }

  const isInOverlap = (retiredAt: number | null): boolean =>
    retiredAt === null || clock.now() < retiredAt + OVERLAP_MS

  const findUsable = ({ verifying }: Loaded, kid: string): VerifyingKey | undefined => {
    const key = verifying.get(kid)
    return key && isInOverlap(key.retiredAt) ? key : undefined
  }

  return {
    async prepare() {
      if ((await load()).signing) return
      await store.addFirst(await createSigningKey(algorithm, clock.now()))
      await load()
    },

    current: () =>
      andThen(fresh(), ({ signing }) => {
        if (!signing) throw new Error('There is no signing key.')
        return signing
      }),

    find: (kid) =>
      andThen(fresh(), (ring) =>
        ring.verifying.has(kid)
          ? findUsable(ring, kid)
          : andThen(lookAgain(), (reloaded) => findUsable(reloaded, kid)),
      ),

    async published() {
      const { keys } = await fresh()
      return { keys: keys.filter((key) => isInOverlap(key.retiredAt)).map((key) => key.publicJwk) }
    },

    async rotate({ revokePrevious }, actor) {
      const now = clock.now()
      const key = await createSigningKey(algorithm, now)
      await store.rotate(
        key,
        { revokePrevious, removeRetiredBefore: now - OVERLAP_MS },
        { at: now, actor, action: 'key.rotated', target: key.kid, detail: { algorithm, revokePrevious } },
      )
      await deps.onChange?.()
      await load()
      return { kid: key.kid }
    },

    forget() {
      changes += 1
      loading = undefined
      if (loaded) loaded.at = LONG_AGO
    },
  }
}
