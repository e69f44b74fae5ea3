import { type Clock, isoInstant } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { ClaimedDelivery, DeliveryKey, DeliveryOutcome } from './delivery.ts'
import { createEndpointHealth } from './endpoint-health.ts'
import { createOutcomeWriter } from './outcome-writer.ts'
import {
  decideOutcome,
  GIVES_WAY_AFTER,
  MAX_CONCURRENT,
  PASSING_MS,
  toAttempt,
  toVerdict,
  type Verdict,
} from './rules.ts'
import type { Sender, RequestResult } from './send.ts'
import type { FindStanding, Standing } from './standing.ts'
import type { PendingPosition, PositionKey, WebhookStore } from './store.ts'
import { HEARTBEAT_EVERY_MS, HEALTHY, NO_PROGRESS, type Webhook } from './webhook.ts'

/** Delivers events to webhooks, in the background. */
export interface Deliverer {
  /** To be called when there may be a new event. */
  notify(): void
  close(): Promise<void>
}

/** Outcomes of requests, for metrics. */
export type DeliveryResult = 'delivered' | 'failed'

const POLL_EVERY_MS = 1_000
const LEASE_MS = 60_000
/** Events that are dealt out in one transaction. */
const DEALT_AT_ONCE = 500
/** With this many waiting deliveries, the backlog stays in the log. */
const MAX_WAITING = 1_000
const MAX_IN_FLIGHT = 64
/** Requests in flight for one partner, so that its slow endpoints leave room for others. */
const MAX_OF_PARTNER = 24
/** With this many requests in flight, each webhook gets one request at a time. */
const CROWDED = 48
const EXPIRE_EVERY_MS = 60_000
/** How long a stopping server waits for requests in flight. Unfinished ones are sent again after the next start. */
const CLOSE_WITHIN_MS = 5_000

export function createDeliverer(deps: {
  store: WebhookStore
  sender: Sender
  findStanding: FindStanding
  clock: Clock
  log: Log
  /** From 0 to 1. */
  random(): number
  onResult(result: DeliveryResult): void
  /** Whether other servers deliver from this store. */
  isShared: boolean
}): Deliverer {
  const { store, sender, findStanding, clock, log } = deps
  let isClosed = false
  let isRunning = false
  let isNotified = false
  let idle: Promise<void> = Promise.resolve()
  let webhooks: Map<string, Webhook> | undefined
  let expiresAt = 0
  const inFlight = new Map<string, { webhook: Webhook; count: number }>()
  const sending = new Set<Promise<void>>()
  /** Positions that are known to exist. */
  const positions = new Set<string>()
  const outcomes = createOutcomeWriter(store, (err) =>
    log.warn({ err }, 'results of deliveries could not be stored; the events will be sent again'),
  )
  const health = createEndpointHealth({
    store,
    clock,
    log,
    onChange() {
      webhooks = undefined
    },
  })

  const loadWebhooks = async (): Promise<Map<string, Webhook>> =>
    (webhooks ??= new Map((await store.list()).map((webhook) => [webhook.webhookUuid, webhook])))

  const run = async (): Promise<void> => {
    for (; isNotified; isNotified &&= !isClosed) {
      isNotified = false
      try {
        await round()
      } catch (err) {
        // An unavailable store is retried at the next poll.
        log.warn({ err }, 'webhooks could not be delivered and will be retried')
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

  const round = async (): Promise<void> => {
    const all = await loadWebhooks()
    if (all.size === 0) return
    const now = clock.now()
    const standings = new Map<string, Standing>()
    for (const webhook of all.values())
      if (webhook.state === 'enabled') standings.set(webhook.webhookUuid, await findStanding(webhook))
    await addPositions(standings)
    await dealOut(all, standings)
    await Promise.all(
      [...all.values()].map((webhook) => attendTo(webhook, standings.get(webhook.webhookUuid))),
    )
    await claimDue(all, standings)
    if (now >= expiresAt) {
      expiresAt = now + EXPIRE_EVERY_MS
      await store.removeExpired()
    }
  }

  /** Sites that were granted since the webhook was created start at the end of their logs. */
  const addPositions = async (standings: ReadonlyMap<string, Standing>): Promise<void> => {
    for (const [webhookUuid, { siteUuids }] of standings) {
      const missing = siteUuids.filter((siteUuid) => !positions.has(`${webhookUuid} ${siteUuid}`))
      if (missing.length === 0) continue
      await store.addPositions(webhookUuid, missing)
      for (const siteUuid of missing) positions.add(`${webhookUuid} ${siteUuid}`)
    }
  }

  /** Whether the webhook was changed after it was loaded. If so, the next round continues with its new settings. */
  const reloadIfOutdated = (
    all: ReadonlyMap<string, Webhook>,
    { webhookUuid, updatedAt }: PendingPosition,
  ): boolean => {
    if (all.get(webhookUuid)?.updatedAt === updatedAt) return false
    webhooks = undefined
    isNotified = true
    return true
  }

  const dealOut = async (
    all: ReadonlyMap<string, Webhook>,
    standings: ReadonlyMap<string, Standing>,
  ): Promise<void> => {
    const unreached = await store.unreached()
    await Promise.all(
      unreached.map(async (position) => {
        const standing = standings.get(position.webhookUuid)
        if (reloadIfOutdated(all, position) || !standing) return
        // Events that the webhook may not receive are skipped.
        const types = standing.siteUuids.includes(position.siteUuid) ? standing.types : []
        const { lastNumber } = position
        const options = { types, lastNumber, maxWaiting: MAX_WAITING, batch: DEALT_AT_ONCE }
        const moved = await store.dealOut(position, options, clock.now())
        if (moved >= DEALT_AT_ONCE) isNotified = true
      }),
    )
  }

  const claimDue = async (
    all: ReadonlyMap<string, Webhook>,
    standings: ReadonlyMap<string, Standing>,
  ): Promise<void> => {
    const due = await store.due(clock.now())
    // The least busy come first, so that none is starved while the process is at its limit.
    const ordered = due.toSorted((a, b) => countInFlight(a.webhookUuid) - countInFlight(b.webhookUuid))
    for (const position of ordered) {
      const webhook = all.get(position.webhookUuid)
      if (reloadIfOutdated(all, position)) continue
      const standing = standings.get(position.webhookUuid)
      const room = webhook && standing?.isActive ? getRoom(webhook) : 0
      if (room > 0 && webhook && standing) await claimAndSend(position, webhook, standing, room)
    }
  }

  const claimAndSend = async (
    position: PositionKey,
    webhook: Webhook,
    standing: Standing,
    room: number,
  ): Promise<void> => {
    const now = clock.now()
    const claimed = await store.claim(position, now, now + LEASE_MS, room)
    const denied = sendAllowed(webhook, standing, claimed)
    if (denied.length === 0) return
    // Another instance may have dealt them out after a change that this one has not loaded yet.
    const current = (await store.find(webhook.webhookUuid)) ?? webhook
    await store.drop(position.siteUuid, sendAllowed(current, await findStanding(current), denied))
    isNotified = true
  }

  /** Sends the deliveries that the webhook may receive, and returns the others. */
  const sendAllowed = (
    webhook: Webhook,
    { siteUuids, types }: Standing,
    claimed: readonly ClaimedDelivery[],
  ): ClaimedDelivery[] => {
    const isAllowed = ({ siteUuid, event }: ClaimedDelivery): boolean =>
      siteUuids.includes(siteUuid) && types.includes(event.type)
    for (const delivery of claimed.filter(isAllowed)) track(webhook, () => deliver(webhook, delivery))
    return claimed.filter((delivery) => !isAllowed(delivery))
  }

  const countInFlight = (webhookUuid: string): number => inFlight.get(webhookUuid)?.count ?? 0

  const getRoom = (webhook: Webhook): number => {
    const own = countInFlight(webhook.webhookUuid)
    const entries = [...inFlight.values()]
    const total = entries.reduce((sum, { count }) => sum + count, 0)
    const ofPartner = entries
      .filter((entry) => entry.webhook.partnerUuid === webhook.partnerUuid)
      .reduce((sum, { count }) => sum + count, 0)
    const most = total >= CROWDED ? 1 : Math.min(health.getConcurrency(webhook.webhookUuid), MAX_CONCURRENT)
    return Math.min(most - own, MAX_OF_PARTNER - ofPartner, MAX_IN_FLIGHT - total)
  }

  /** Runs a request in the background and counts it as in flight. */
  const track = (webhook: Webhook, work: () => Promise<void>): void => {
    const entry = inFlight.get(webhook.webhookUuid) ?? { webhook, count: 0 }
    entry.count += 1
    inFlight.set(webhook.webhookUuid, entry)
    const running = work()
      .catch((err: unknown) => log.warn({ err }, 'a webhook could not be delivered and will be retried'))
      .finally(() => {
        entry.count -= 1
        if (entry.count === 0) inFlight.delete(webhook.webhookUuid)
        sending.delete(running)
        notify()
      })
    sending.add(running)
  }

  const deliver = async (webhook: Webhook, delivery: ClaimedDelivery): Promise<void> => {
    const sent = await sender.sendDelivery(webhook, delivery)
    const now = clock.now()
    const verdict = toVerdict(sent.result, now)
    deps.onResult(verdict.kind === 'delivered' ? 'delivered' : 'failed')
    // A request that was aborted because the process is stopping is not a failure of the endpoint.
    if (isClosed && verdict.kind !== 'delivered') return
    await outcomes.add(await applyVerdict(webhook, delivery, verdict, sent))
  }

  /** Applies the verdict to the endpoint, and returns what it does to the delivery. */
  const applyVerdict = async (
    webhook: Webhook,
    delivery: ClaimedDelivery,
    verdict: Verdict,
    sent: RequestResult,
  ): Promise<DeliveryOutcome> => {
    const endpoint = { isFailing: false, isPassing: true }
    if (verdict.kind === 'delivered') await health.succeeded(await getCurrent(webhook))
    else if (verdict.kind === 'gone') await health.disable(webhook, 'gone')
    else if (verdict.kind === 'wait') await health.startFailing(webhook, verdict.ms)
    else {
      const isFourth = delivery.tries + 1 >= GIVES_WAY_AFTER && !delivery.givesWay
      endpoint.isPassing = !isFourth || (await isPassing(webhook))
      // If no other event is delivered, the endpoint cannot be distinguished from a dead one.
      endpoint.isFailing = health.countFailure(webhook.webhookUuid) || !endpoint.isPassing
      if (endpoint.isFailing) await health.startFailing(webhook)
      else endpoint.isFailing = (await getCurrent(webhook)).failingSince !== null
    }
    return toOutcome(delivery, verdict, sent, endpoint)
  }

  const toOutcome = (
    delivery: ClaimedDelivery,
    verdict: Verdict,
    { result, at, durationMs }: RequestResult,
    endpoint: { isFailing: boolean; isPassing: boolean },
  ): DeliveryOutcome =>
    decideOutcome(delivery, verdict, toAttempt(result, at, durationMs), endpoint, clock.now(), deps.random())

  const getCurrent = async (webhook: Webhook): Promise<Webhook> =>
    (await loadWebhooks()).get(webhook.webhookUuid) ?? webhook

  const isPassing = async ({ webhookUuid }: Webhook): Promise<boolean> => {
    const since = clock.now() - PASSING_MS
    if (health.lastSuccessAt(webhookUuid) > since) return true
    const { lastDeliveredAt } = (await store.progress([webhookUuid])).get(webhookUuid) ?? NO_PROGRESS
    return lastDeliveredAt !== null && lastDeliveredAt > since
  }

  /** Heartbeats, and probes of an endpoint that is failing. */
  const attendTo = async (webhook: Webhook, standing: Standing | undefined): Promise<void> => {
    if (webhook.state !== 'enabled' || !standing?.isActive) return
    const now = clock.now()
    const { probeAt, nextHeartbeatAt } = webhook
    if (probeAt !== null && probeAt <= now && countInFlight(webhook.webhookUuid) === 0) await probe(webhook)
    if (webhook.heartbeat && (nextHeartbeatAt === null || nextHeartbeatAt <= now)) await beat(webhook)
  }

  const beat = async (webhook: Webhook): Promise<void> => {
    const { webhookUuid, nextHeartbeatAt, failingSince, updatedAt } = webhook
    const next = { nextHeartbeatAt: clock.now() + HEARTBEAT_EVERY_MS }
    const isTaken = await store.update(webhookUuid, { nextHeartbeatAt, updatedAt }, next)
    webhooks = undefined
    // A failing endpoint gets probes only.
    if (!isTaken || failingSince !== null) return
    const { waiting, oldestWaitingAt } = (await store.progress([webhookUuid])).get(webhookUuid) ?? NO_PROGRESS
    const data = {
      waiting,
      oldestWaitingAt: oldestWaitingAt === null ? null : isoInstant(oldestWaitingAt),
    }
    track(webhook, async () => void (await sender.sendNotice(webhook, 'webhook.heartbeat', data)))
  }

  /**
   * Probes alternate between the oldest delivery and the one after it: an event that the endpoint never accepts must
   * not make it look dead.
   */
  const probe = async (webhook: Webhook): Promise<void> => {
    const { webhookUuid, failingSince } = webhook
    if (!(await health.takeProbe(webhook))) return
    const [oldest, second] = await store.oldestWaiting(webhookUuid, 2)
    if (!oldest) {
      // Without a waiting delivery there is nothing to probe with: the next event serves as the probe.
      await store.update(webhookUuid, { failingSince }, HEALTHY)
      webhooks = undefined
      return
    }
    const isSecond = webhook.probes % 2 === 1 && second !== undefined
    const now = clock.now()
    const delivery = await store.claimOne(isSecond ? second : oldest, now, now + LEASE_MS)
    if (delivery) track(webhook, () => sendProbe(webhook, delivery, isSecond ? oldest : undefined))
  }

  const sendProbe = async (
    webhook: Webhook,
    delivery: ClaimedDelivery,
    passedOver: DeliveryKey | undefined,
  ): Promise<void> => {
    const sent = await sender.sendDelivery(webhook, delivery)
    const verdict = toVerdict(sent.result, clock.now())
    deps.onResult(verdict.kind === 'delivered' ? 'delivered' : 'failed')
    if (isClosed && verdict.kind !== 'delivered') return
    await outcomes.add(toOutcome(delivery, verdict, sent, { isFailing: true, isPassing: true }))
    if (verdict.kind === 'delivered') {
      if (passedOver) await store.giveWay(passedOver)
      await health.succeeded(webhook)
    } else if (verdict.kind === 'gone') await health.disable(webhook, 'gone')
    else await health.probeFailed(webhook, verdict.kind === 'wait' ? verdict.ms : undefined)
  }

  const timer = setInterval(() => {
    // Changes by other processes are seen within this time.
    webhooks = undefined
    notify()
  }, POLL_EVERY_MS)

  const start = async (): Promise<void> => {
    if (!deps.isShared)
      await store.releaseLeases().catch((err: unknown) => log.warn({ err }, 'leases could not be released'))
    isRunning = false
    notify()
  }
  isRunning = true
  idle = start()

  return {
    notify,
    async close() {
      isClosed = true
      clearInterval(timer)
      await idle
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS).unref())
      await Promise.race([Promise.all(sending), late])
      sender.close()
      await Promise.all(sending)
      await outcomes.close()
    },
  }
}
