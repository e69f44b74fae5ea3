import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { MessageBuilder } from './device-messages.ts'
import type { Attempt, CommandStore, OutboxMessage, OutboxStore } from '../command/store.ts'

/** What the broker did with a message: there was somebody to hear it, or nobody. */
export type Publish = (
  topic: { siteUuid: string; deviceUuid: string },
  payload: string,
) => Promise<'delivered' | 'no-subscriber'>

export interface Dispatcher {
  /** There may be something to send: a new command, a device or a broker that is back. */
  notify(): void
  /** The broker is there. */
  connected(): void
  /** Devices can be reached again; what waits for them goes at once. */
  retryNow(siteUuid: string, deviceUuids: readonly string[] | 'all'): void
  close(): Promise<void>
}

const BATCH = 500
/** So long a claimed message is ours; after a crash it is somebody's again. */
const LEASE_MS = 30_000
/** Something may have become due that nobody told us of. */
const LOOK_EVERY_MS = 1_000
const MAX_TRIES = 5
const FIRST_RETRY_MS = 15_000
/** How often a device that is offline, or that nobody hears, is looked at without being woken. */
const OFFLINE_WAIT_MS = 60_000
const UNHEARD_WAIT_MS = 30_000
/** Where a broker has just come back, its clients are on their way. */
const RETURNING_MS = 2 * 60_000
const RETURNING_WAIT_MS = 2_000

/** Sends what is in the outbox, as long as there is a broker, until devices answer or time is up. */
export function createDispatcher(deps: {
  outbox: OutboxStore
  commands: CommandStore
  compose: MessageBuilder
  publish: Publish
  isConnected(): boolean
  /** What the clock brings besides: ended commands, played targets. */
  expireOverdue(now: number): Promise<void>
  clock: Clock
  log: Log
}): Dispatcher {
  const { outbox, commands, compose, publish, clock, log } = deps
  let isClosed = false
  let isRunning = false
  let isKicked = false
  let idle: Promise<void> = Promise.resolve()
  let connectedAt = clock.now()

  const send = async (message: OutboxMessage): Promise<Attempt | undefined> => {
    const now = clock.now()
    const { messageUuid, siteUuid, deviceUuid, kind, tries, failures } = message
    const ids = { messageUuid, siteUuid, deviceUuid }
    const waits = (dueAt: number): Attempt => ({ ...ids, outcome: 'waits', dueAt, isDone: false })
    if (message.expiresAt <= now) return undefined
    if (tries >= MAX_TRIES || failures >= MAX_TRIES) return giveUp(message, now)
    const composed = await compose(message, now)
    if (composed === 'gone') return { ...waits(message.expiresAt), isDone: true }
    if (composed === 'offline') return waits(now + OFFLINE_WAIT_MS)
    if (composed === 'nothing-to-send') {
      await commands.apply(siteUuid, deviceUuid, messageUuid, {
        event: 'server-confirmed',
        reason: null,
        at: now,
      })
      return undefined
    }
    try {
      const delivery = await publish({ siteUuid, deviceUuid }, JSON.stringify(composed.message))
      if (delivery === 'no-subscriber')
        return waits(now + (now - connectedAt < RETURNING_MS ? RETURNING_WAIT_MS : UNHEARD_WAIT_MS))
    } catch (err) {
      log.debug({ err, messageUuid }, 'a message was not taken by the broker')
      if (!deps.isConnected()) return waits(now)
      return { ...ids, outcome: 'refused', dueAt: now + backoff(failures), isDone: false }
    }
    return {
      ...ids,
      outcome: 'sent',
      dueAt: clock.now() + backoff(tries),
      isDone: kind === 'cancel',
      ...(composed.sentTarget && { sentTarget: composed.sentTarget }),
    }
  }

  const giveUp = async (message: OutboxMessage, at: number): Promise<Attempt> => {
    const isGateway = message.failures >= MAX_TRIES
    const reason = isGateway
      ? { code: 'GATEWAY_ERROR' as const, message: `The broker refused it ${MAX_TRIES} times.` }
      : { code: 'DEVICE_OFFLINE' as const, message: `The device did not answer ${MAX_TRIES} tries.` }
    const { siteUuid, deviceUuid, messageUuid } = message
    if (message.kind === 'command')
      await commands.apply(siteUuid, deviceUuid, messageUuid, { event: 'gave-up', reason, at })
    return { messageUuid, siteUuid, deviceUuid, outcome: 'waits', dueAt: message.expiresAt, isDone: true }
  }

  /** Messages of one device go one after the other, those of many at once. */
  const sendAll = async (messages: readonly OutboxMessage[]): Promise<void> => {
    const byDevice = Map.groupBy(messages, ({ deviceUuid }) => deviceUuid)
    const attempts = await Promise.all(
      [...byDevice.values()].map(async (own) => {
        const made: Attempt[] = []
        for (const message of own) {
          const attempt = await send(message)
          if (attempt) made.push(attempt)
        }
        return made
      }),
    )
    await outbox.recordAttempts(attempts.flat(), clock.now())
  }

  const round = async (): Promise<void> => {
    await deps.expireOverdue(clock.now())
    for (let hasMore = true; hasMore && deps.isConnected(); ) {
      const now = clock.now()
      const messages = await outbox.claim(now, now + LEASE_MS, BATCH)
      if (messages.length > 0) await sendAll(messages)
      hasMore = messages.length === BATCH && !isClosed
    }
  }

  const run = async (): Promise<void> => {
    for (; isKicked; isKicked &&= !isClosed) {
      isKicked = false
      try {
        await round()
      } catch (err) {
        // A store that is away is tried again with the next look.
        log.warn({ err }, 'commands wait to be sent')
      }
    }
    isRunning = false
  }

  const notify = (): void => {
    isKicked = true
    if (isRunning || isClosed) return
    isRunning = true
    idle = run()
  }
  const timer = setInterval(notify, LOOK_EVERY_MS)

  return {
    notify,
    connected() {
      connectedAt = clock.now()
      notify()
    },
    retryNow(siteUuid, deviceUuids) {
      outbox
        .retryNow(siteUuid, deviceUuids, clock.now())
        .then(notify)
        // They are looked at again without it, only later.
        .catch((err: unknown) => log.warn({ err, siteUuid }, 'commands were not woken'))
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await idle
    },
  }
}

const backoff = (tries: number): number => FIRST_RETRY_MS * 2 ** tries
