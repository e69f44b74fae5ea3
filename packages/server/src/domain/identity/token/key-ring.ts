import { createPublicKey, type KeyObject } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { JSONWebKeySet } from 'jose'
import type { Actor } from '../audit.ts'
import { TtlCache } from '../../../kernel/cache.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { andThen, type MaybePromise } from '../../../kernel/maybe-promise.ts'
import { TOKEN_LIFETIME_MS, type TokenAlgorithm } from './token.ts'
import { createSigningKey, loadPrivateKey, type SigningKey } from './keys.ts'
import type { SigningKeyStore } from './store.ts'

/** How long a rotation by another program can go unnoticed. */
const FRESH_MS = 2_000
/** An unknown key id makes the ring reload from the store, at most once per interval. */
const RELOAD_INTERVAL_MS = 250
const LONG_AGO = Number.NEGATIVE_INFINITY
/** A retired key verifies tokens until the last one has expired, plus a margin for clock skew. */
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
  /** Creates the first key if there is none of the configured algorithm. */
  prepare(): Promise<void>
  current(): MaybePromise<SigningPair>
  find(kid: string): MaybePromise<VerifyingKey | undefined>
  published(): Promise<JSONWebKeySet>
  /** The keys that sign or verify tokens, newest first. */
  list(): Promise<SigningKey[]>
  rotate(options: { revokePrevious: boolean }, actor: Actor): Promise<{ kid: string }>
  /** To be called when keys have changed. */
  invalidate(): void
}

interface LoadedKeys {
  keys: SigningKey[]
  signing: SigningPair | undefined
  verifying: Map<string, VerifyingKey & { retiredAt: number | null }>
}

export function createKeyRing(deps: {
  store: SigningKeyStore
  clock: Clock
  algorithm: TokenAlgorithm
  /** Resolves when the other caches of the keys are invalidated. */
  onChange?(): Promise<void>
}): KeyRing {
  const { store, clock, algorithm } = deps
  /** The keys loaded last; their key objects are reused. */
  let last: LoadedKeys | undefined
  let readAt = LONG_AGO
  let nextReload: Promise<LoadedKeys> | undefined

  const read = async (): Promise<LoadedKeys> => {
    const keys = await store.list()
    const previous = last
    const current = keys.find((key) => key.retiredAt === null && key.algorithm === algorithm)
    const isSameKey = previous?.signing && previous.signing.kid === current?.kid
    readAt = clock.now()
    last = {
      keys,
      signing: isSameKey
        ? previous.signing
        : current && { kid: current.kid, algorithm, privateKey: loadPrivateKey(current) },
      verifying: new Map(
        keys.map((key) => [
          key.kid,
          {
            algorithm: key.algorithm,
            retiredAt: key.retiredAt,
            publicKey:
              previous?.verifying.get(key.kid)?.publicKey ??
              createPublicKey({ key: key.privateKey, format: 'pem' }),
          },
        ]),
      ),
    }
    return last
  }

  const rings = new TtlCache<'ring', LoadedKeys>({ ttlMs: FRESH_MS, max: 1, clock, load: read })

  const reload = (): MaybePromise<LoadedKeys> => {
    rings.invalidate()
    return rings.get('ring')
  }

  /** Another instance may have just started to sign with a new key: a load already in progress might miss it. */
  const reloadSoon = (): Promise<LoadedKeys> => {
    nextReload ??= (async () => {
      const wait = readAt + RELOAD_INTERVAL_MS - clock.now()
      await delay(Math.min(Math.max(wait, 0), RELOAD_INTERVAL_MS))
      nextReload = undefined
      return reload()
    })()
    return nextReload
  }

  const isInOverlap = (retiredAt: number | null): boolean =>
    retiredAt === null || clock.now() < retiredAt + OVERLAP_MS

  const listUsable = async (): Promise<SigningKey[]> =>
    (await rings.get('ring')).keys.filter((key) => isInOverlap(key.retiredAt))

  const findUsable = ({ verifying }: LoadedKeys, kid: string): VerifyingKey | undefined => {
    const key = verifying.get(kid)
    return key && isInOverlap(key.retiredAt) ? key : undefined
  }

  return {
    async prepare() {
      if ((await reload()).signing) return
      await store.addFirst(await createSigningKey(algorithm, clock.now()))
      await reload()
    },

    current: () =>
      andThen(rings.get('ring'), ({ signing }) => {
        if (!signing) throw new Error('There is no signing key.')
        return signing
      }),

    find: (kid) =>
      andThen(rings.get('ring'), (ring) =>
        ring.verifying.has(kid)
          ? findUsable(ring, kid)
          : andThen(reloadSoon(), (reloaded) => findUsable(reloaded, kid)),
      ),

    published: async () => ({ keys: (await listUsable()).map((key) => key.publicJwk) }),

    list: listUsable,

    async rotate({ revokePrevious }, actor) {
      const now = clock.now()
      const key = await createSigningKey(algorithm, now)
      await store.rotate(
        key,
        { revokePrevious, removeRetiredBefore: now - OVERLAP_MS },
        { at: now, actor, action: 'key.rotated', target: key.kid, detail: { algorithm, revokePrevious } },
      )
      await deps.onChange?.()
      await reload()
      return { kid: key.kid }
    },

    invalidate() {
      rings.invalidate()
      readAt = LONG_AGO
    },
  }
}
