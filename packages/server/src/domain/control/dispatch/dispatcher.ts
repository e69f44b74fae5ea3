import type { Clock } from '../../../kernel/clock.ts'
import { UnavailableError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import type { MessageBuilder } from './device-messages.ts'
import type { Attempt, CommandStore, OutboxMessage, OutboxStore } from '../command/store.ts'

/** Publishes a message. The result says whether a subscriber received it. */
export type Publish = (
  topic: { siteUuid: string; deviceUuid: string },
  payload: string,
) => Promise<'published' | 'no-subscribers'>

export interface Dispatcher {
  /** To be called when there may be a message to send: a new command, or a device or broker that is back. */
  notify(): void
  /** To be called when the broker has connected. */
  connected(): void
  /** To be called when devices are reachable again: messages that wait for them are sent immediately. */
  retryNow(siteUuid: string, deviceUuids: readonly string[] | 'all'): void
  close(): Promise<void>
}

const BATCH = 500
/** How long a claimed message is leased; after a crash, it can be claimed again when the lease expires. */
const LEASE_MS = 30_000
/** Poll interval for messages that became due without a notification. */
const POLL_EVERY_MS = 1_000
const MAX_TRIES = 5
const FIRST_RETRY_MS = 15_000
/** Retry intervals for a device that is offline, or whose topic has no subscriber, unless `retryNow` is called. */
const OFFLINE_WAIT_MS = 60_000
const NO_SUBSCRIBERS_WAIT_MS = 30_000
/** After a broker has connected, its clients reconnect within this time, so messages are retried sooner. */
const RETURNING_MS = 2 * 60_000
const RETURNING_WAIT_MS = 2_000
/** After a broker has connected, responses that it or the devices have held arrive within this time. */
const HELD_RESPONSES_MS = 30_000
/** While the broker is not connected, commands end at most this late. */
const MAX_HOLD_MS = 2 * 60_000

/** Sends the messages in the outbox while the broker is connected, until devices respond or the messages expire. */
export function createDispatcher(deps: {
  outbox: OutboxStore
  commands: CommandStore
  compose: MessageBuilder
  publish: Publish
  isConnected(): boolean
  /** Continues the server schedules that are due. */
  runSchedules(now: number): Promise<void>
  clock: Clock
  log: Log
}): Dispatcher {
  const { outbox, commands, compose, publish, clock, log } = deps
  let isClosed = false
  let isRunning = false
  let isNotified = false
  let idle: Promise<void> = Promise.resolve()
  let connectedAt = clock.now()
  let wasConnected = true
  /** When commands whose deadline has passed were last ended. */
  let endedAt = connectedAt

  const send = async (message: OutboxMessage): Promise<Attempt | undefined> => {
    const now = clock.now()
    const { messageUuid, siteUuid, deviceUuid, kind, tries, failures } = message
    const ids = { messageUuid, siteUuid, deviceUuid }
    const waits = (dueAt: number): Attempt => ({ ...ids, outcome: 'waits', dueAt, isDone: false })
    if (message.expiresAt <= now) return undefined
    if (tries >= MAX_TRIES || failures >= MAX_TRIES)
      return mayHoldResponses(now) ? waits(now + RETURNING_WAIT_MS) : giveUp(message, now)
    const built = await compose(message, now)
    if (built === 'gone') return { ...waits(message.expiresAt), isDone: true }
    if (built === 'offline') return waits(now + OFFLINE_WAIT_MS)
    if (built === 'nothing-to-send') {
      await commands.apply(siteUuid, deviceUuid, messageUuid, {
        event: 'server-confirmed',
        reason: null,
        at: now,
      })
      return undefined
    }
    try {
      const delivery = await publish({ siteUuid, deviceUuid }, JSON.stringify(built.message))
      if (delivery === 'no-subscribers')
        return waits(now + (now - connectedAt < RETURNING_MS ? RETURNING_WAIT_MS : NO_SUBSCRIBERS_WAIT_MS))
    } catch (err) {
      log.debug({ err, messageUuid }, 'the broker did not accept a message')
      if (!deps.isConnected()) return waits(now)
      return { ...ids, outcome: 'refused', dueAt: now + backoff(failures), isDone: false }
    }
    return {
      ...ids,
      outcome: 'sent',
      dueAt: clock.now() + backoff(tries),
      isDone: kind === 'cancel',
      ...(built.sentTarget && { sentTarget: built.sentTarget }),
    }
  }

  const giveUp = async (message: OutboxMessage, at: number): Promise<Attempt> => {
    const isGateway = message.failures >= MAX_TRIES
    const reason = isGateway
      ? { code: 'GATEWAY_ERROR' as const, message: `The broker rejected the command ${MAX_TRIES} times.` }
      : { code: 'DEVICE_OFFLINE' as const, message: `The device did not respond to ${MAX_TRIES} attempts.` }
    const { siteUuid, deviceUuid, messageUuid } = message
    if (message.kind === 'command')
      await commands.apply(siteUuid, deviceUuid, messageUuid, { event: 'gave-up', reason, at })
    return { messageUuid, siteUuid, deviceUuid, outcome: 'waits', dueAt: message.expiresAt, isDone: true }
  }

  /** Sends the messages of one device one after another, and those of different devices concurrently. */
  const sendAll = async (messages: readonly OutboxMessage[]): Promise<void> => {
    const byDevice = Map.groupBy(messages, ({ deviceUuid }) => deviceUuid)
    const attempts: Attempt[] = []
    const sent = await Promise.allSettled(
      [...byDevice.values()].map(async (own) => {
        for (const message of own) {
          const attempt = await send(message)
          if (attempt) attempts.push(attempt)
        }
      }),
    )
    // Also if some failed: otherwise the messages of all devices would be sent again.
    await outbox.recordAttempts(attempts, clock.now())
    for (const result of sent) if (result.status === 'rejected') throw result.reason
  }

  /**
   * Whether a response may be on its way that the broker or a device held while it could not be received. A command
   * that was confirmed while the server was down must not fail for lack of a confirmation.
   */
  const mayHoldResponses = (now: number): boolean =>
    deps.isConnected()
      ? isWithin(now, connectedAt, HELD_RESPONSES_MS) &&
        isWithin(now, endedAt, MAX_HOLD_MS + HELD_RESPONSES_MS)
      : isWithin(now, endedAt, MAX_HOLD_MS)

  /** A connection counts from here even if `connected` has not been called yet. */
  const noteConnection = (now: number): void => {
    const isConnected = deps.isConnected()
    if (isConnected && !wasConnected) connectedAt = now
    wasConnected = isConnected
  }

  const endOverdue = async (now: number): Promise<void> => {
    if (mayHoldResponses(now)) return
    await commands.expireOverdue(now)
    endedAt = now
  }

  /** Damaged data must not prevent commands from being sent. */
  const isolated = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (err) {
      if (err instanceof UnavailableError) throw err
      log.warn({ err }, 'commands past their deadline, or server schedules, could not be processed')
    }
  }

  const round = async (): Promise<void> => {
    const startedAt = clock.now()
    noteConnection(startedAt)
    await isolated(endOverdue(startedAt))
    await isolated(deps.runSchedules(startedAt))
    for (let hasMore = true; hasMore && deps.isConnected(); ) {
      const now = clock.now()
      const messages = await outbox.claim(now, now + LEASE_MS, BATCH)
      if (messages.length > 0) await sendAll(messages)
      hasMore = messages.length === BATCH && !isClosed
    }
  }

  const run = async (): Promise<void> => {
    for (; isNotified; isNotified &&= !isClosed) {
      isNotified = false
      try {
        await round()
      } catch (err) {
        // An unavailable store is retried at the next poll. Responses that could not be stored are repeated, too.
        if (err instanceof UnavailableError) connectedAt = endedAt = clock.now()
        log.warn({ err }, 'commands could not be sent and will be retried')
      }
    }
    isRunning = false
  }

  const notify = (): void => {
    isNotified = true
    if (isRunning || isClosed) return
    isRunning = true
    idle = run()
  }
  const timer = setInterval(notify, POLL_EVERY_MS)

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
        // The messages are retried anyway, only later.
        .catch((err: unknown) => log.warn({ err, siteUuid }, 'waiting commands could not be made due'))
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await idle
    },
  }
}

/** Not if the clock was set back since. */
const isWithin = (now: number, since: number, ms: number): boolean => now >= since && now < since + ms

const backoff = (tries: number): number => FIRST_RETRY_MS * 2 ** tries
