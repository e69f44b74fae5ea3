import type { StoredGateway } from '../../domain/estate/gateway/gateway.ts'
import {
  MAX_CONNECTIONS_PER_ACCOUNT,
  MAX_FILTER_LENGTH,
  MAX_SUBSCRIPTIONS,
  MAX_SUBSCRIPTIONS_PER_ACCOUNT,
} from './bounds.ts'
import { type ByteTally, createByteTally } from './byte-tally.ts'
import type { BackpressureSocket } from './backpressure-socket.ts'
import { belongsToSite, matches } from '../topics.ts'

/** A client that has signed on. */
export interface Session {
  readonly gateway: StoredGateway
  readonly account: Account
  readonly clientId: string
  readonly guard: BackpressureSocket
  readonly subscriptions: Set<string>
  /** Ends the connection as if it were lost, so that its last will is published. */
  close(): void
  /** Resolves when the client is gone and its last will is being published. */
  readonly ended: Promise<void>
}

/** A gateway account that has at least one connection. */
export interface Account {
  readonly gateway: StoredGateway
  readonly tally: ByteTally
  /** By client id. */
  readonly sessions: Map<string, Session>
  subscriptionCount: number
}

export interface Sessions {
  /** If a client with the same id is connected, it is taken over: its connection is ended first. */
  open(client: Pick<Session, 'gateway' | 'clientId' | 'guard' | 'close'>): Promise<Session | 'too-many'>
  /** Removes the session and its subscriptions from the counts. Further calls have no effect. */
  end(session: Session): void
  subscribe(session: Session, filter: string): 'granted' | 'forbidden' | 'too-many'
  unsubscribe(session: Session, filter: string): void
  /** Whether any client is subscribed to a topic of a site. */
  hasSubscriber(siteUuid: string, topic: string): boolean
  accounts(): Iterable<Account>
  /** Number of connections that have signed on. */
  readonly size: number
}

/** An account with a new password counts as a different account: connections with the old password are to be closed. */
const toKey = ({ mqttUsername, passwordHash }: StoredGateway): string =>
  `${mqttUsername} ${Buffer.from(passwordHash).toString('base64')}`

export function createSessions(): Sessions {
  const accounts = new Map<string, Account>()
  const bySite = new Map<string, Set<Session>>()
  const resolvers = new Map<Session, () => void>()

  const requireAccount = (gateway: StoredGateway): Account => {
    const key = toKey(gateway)
    const account = accounts.get(key) ?? {
      gateway,
      tally: createByteTally(),
      sessions: new Map<string, Session>(),
      subscriptionCount: 0,
    }
    accounts.set(key, account)
    return account
  }

  return {
    async open(client) {
      const { gateway, clientId, guard } = client
      // Two clients may wait for the same one to end; then the second takes over from the first.
      for (;;) {
        const previous = accounts.get(toKey(gateway))?.sessions.get(clientId)
        if (!previous) break
        previous.close()
        await previous.ended
      }
      const count = accounts.get(toKey(gateway))?.sessions.size ?? 0
      if (count >= MAX_CONNECTIONS_PER_ACCOUNT) return 'too-many'
      const account = requireAccount(gateway)
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      const session: Session = { ...client, guard, account, subscriptions: new Set(), ended }
      resolvers.set(session, resolve)
      account.sessions.set(clientId, session)
      const ofSite = bySite.get(gateway.siteUuid) ?? new Set()
      bySite.set(gateway.siteUuid, ofSite.add(session))
      return session
    },

    end(session) {
      const resolve = resolvers.get(session)
      if (!resolve) return
      resolvers.delete(session)
      const { account, gateway, clientId, subscriptions } = session
      account.sessions.delete(clientId)
      account.subscriptionCount -= subscriptions.size
      subscriptions.clear()
      if (account.sessions.size === 0) accounts.delete(toKey(gateway))
      const ofSite = bySite.get(gateway.siteUuid)
      ofSite?.delete(session)
      if (ofSite?.size === 0) bySite.delete(gateway.siteUuid)
      resolve()
    },

    subscribe({ account, gateway, subscriptions }, filter) {
      if (!belongsToSite(filter, gateway.siteUuid) || filter.length > MAX_FILTER_LENGTH) return 'forbidden'
      if (subscriptions.has(filter)) return 'granted'
      const isFull =
        subscriptions.size >= MAX_SUBSCRIPTIONS || account.subscriptionCount >= MAX_SUBSCRIPTIONS_PER_ACCOUNT
      if (isFull) return 'too-many'
      subscriptions.add(filter)
      account.subscriptionCount += 1
      return 'granted'
    },

    unsubscribe({ account, subscriptions }, filter) {
      if (subscriptions.delete(filter)) account.subscriptionCount -= 1
    },

    hasSubscriber(siteUuid, topic) {
      for (const { guard, subscriptions } of bySite.get(siteUuid) ?? []) {
        if (guard.isClosed) continue
        for (const filter of subscriptions) if (matches(filter, topic)) return true
      }
      return false
    },

    accounts: () => accounts.values(),
    get size() {
      return resolvers.size
    },
  }
}
