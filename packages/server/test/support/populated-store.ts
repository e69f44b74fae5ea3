import { COMMAND_STATES } from '../../src/domain/control/command/command.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import type { InventoryDocument } from '../../src/domain/estate/inventory/inventory.ts'
import type { Store } from '../../src/store/store.ts'
import { createSigningKey } from '../../src/domain/identity/token/keys.ts'
import { addCommand, addCommandIn, apply, DAY, HOUR, OVERRIDE } from './commands.ts'
import { DELTA, GAUGE, makeSmallSite, REGISTER } from './small-site.ts'
import { addPartner, entry, NOON } from './seed.ts'
import { addWebhook, createEvents, createOutcome } from './webhooks.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

/** Retention period of the populated store. */
export const RETENTION_MS = 30 * DAY

/**
 * Data of every kind: two sites with devices that moved and were removed, days whose readings are deleted, a correction
 * that is not rolled up yet, recent readings, commands in every state. Opened with RETENTION_MS.
 */
export async function populateStore(store: Store): Promise<InventoryDocument> {
  const here = makeSmallSite('Europe/London', 2, [
    { space: 0, metrics: { electricity: REGISTER, temperature: GAUGE } },
    { space: 0, metrics: { electricity: DELTA } },
    { space: 1, metrics: { water: REGISTER, temperature: GAUGE } },
  ])
  const there = makeSmallSite('Pacific/Chatham', 1, [{ space: 0, metrics: { electricity: REGISTER } }])
  for (const document of [here, there]) await applyTo(store, document)
  await addReadings(store, here)
  await moveAndArchive(store, here)
  await addPeople(store, [here, there])
  await addControl(store, here)
  return here
}

const applyTo = (store: Store, document: InventoryDocument) =>
  store.inventory.apply(document.site.siteUuid, document, entry('inventory.applied'))

/** Readings of days that retention deletes, of closed days, a late one and recent ones. */
async function addReadings(store: Store, document: InventoryDocument): Promise<void> {
  const { siteUuid } = document.site
  const now = systemClock.now()
  const stored = await store.inventory.load(siteUuid)
  const series = (stored?.devices ?? []).flatMap((device) => Object.values(device.series))
  const add = (from: number, count: number) =>
    store.readings.add(
      siteUuid,
      toReadingBatch(
        series.map((seriesId) => ({
          seriesId,
          timestamps: Array.from({ length: count }, (_, at) => from + at * (HOUR / 2)),
          values: Array.from({ length: count }, (_, at) => (at % 50) / 3 + seriesId),
        })),
      ),
    )
  await add(now - 60 * DAY, 5 * 48)
  await add(now - 6 * DAY, 5 * 48)
  await store.runMaintenance()
  await store.closedDays.close(siteUuid, { expected: 0, closedBefore: now - DAY, event: undefined })
  const [first = 0] = series
  await store.readings.add(
    siteUuid,
    toReadingBatch([
      { seriesId: first, timestamps: [now - 5 * DAY + 1], values: [-0] },
      { seriesId: first, timestamps: [now - HOUR, now], values: [0.1, 1000 / 7] },
    ]),
  )
}

async function moveAndArchive(store: Store, document: InventoryDocument): Promise<void> {
  const [, , , ...rest] = document.devices
  const [one, two] = document.devices
  const since = systemClock.now() - 2 * HOUR
  const spaceUuid = document.spaces[1]?.spaceUuid ?? ''
  if (one && two) await applyTo(store, { ...document, devices: [{ ...one, spaceUuid, since }, two, ...rest] })
}

async function addPeople(store: Store, sites: readonly InventoryDocument[]): Promise<void> {
  const siteUuids = sites.map(({ site }) => site.siteUuid)
  const { partner, secret } = await addPartner(store, { sites: siteUuids, name: 'Ünïcode "{,}\\ ’' })
  await addPartner(store, { enabled: false, roles: ['Operator'] })
  await store.partners.recordUse([{ secretId: secret.secretId, at: NOON }])
  const { partnerUuid } = partner
  await store.sessions.add(
    {
      sessionId: 'cookie',
      partnerUuid,
      secretId: secret.secretId,
      createdAt: NOON,
      expiresAt: NOON + HOUR,
      address: '::1',
      agent: 'Mozilla/5.0',
    },
    { maxLive: 1 },
    entry(),
  )
  await store.sessions.addCode({ codeId: 'code', partnerUuid, expiresAt: NOON + HOUR }, entry())
  await store.keys.addFirst(await createSigningKey('RS256', NOON))
  await store.keys.addFirst(await createSigningKey('ES256', NOON + 1))
  await store.v1Usage.add([
    { partnerUuid: partner.partnerUuid, path: '/tenant/logo', statusClass: 2, calls: 3, lastSeenAt: NOON },
  ])
  const blackouts = [{ from: 3, to: 4 }]
  const change = { method: 'GET', path: '/tenant/logo', sunsetAt: NOON, blackouts }
  await store.lifecycle.change([{ change, entry: entry() }])
  const image = { type: 'image/png', bytes: Uint8Array.of(0, 1, 2, 255) } as const
  await store.images.setLogo(image, entry())
  await store.images.setOfBuilding(sites[0]?.buildings[0]?.buildingUuid ?? '', image, entry())
}

/** A webhook with a delivery in every state. */
async function addDeliveries(store: Store, siteUuid: string, deviceUuid: string): Promise<void> {
  const { webhookUuid } = await addWebhook(store, [siteUuid], {
    eventTypes: ['device.online'],
    siteUuids: [siteUuid],
    failingSince: NOON,
    probeAt: NOON + 1,
    previousEndsAt: NOON + DAY,
    nextHeartbeatAt: NOON + HOUR,
  })
  const position = { siteUuid, webhookUuid }
  await store.events.append(siteUuid, createEvents([deviceUuid, newUuid(), newUuid()]))
  await store.webhooks.dealOut(
    position,
    { types: ['device.online'], lastNumber: 9, maxWaiting: 9, batch: 9 },
    NOON,
  )
  const [delivered, failed] = await store.webhooks.claim(position, NOON, NOON + HOUR, 3)
  if (!delivered || !failed) return
  await store.webhooks.record(siteUuid, [
    createOutcome(delivered),
    createOutcome(failed, { state: 'failed', givesWay: true }),
  ])
}

async function addControl(store: Store, { site: { siteUuid }, devices }: InventoryDocument): Promise<void> {
  const [one, two] = devices.map(({ deviceUuid }) => ({ siteUuid, deviceUuid }))
  if (!one || !two) return
  const gatewayUuid = newUuid()
  await store.gateways.add(
    siteUuid,
    {
      siteUuid,
      gatewayUuid,
      name: 'Plant room',
      mqttUsername: newUuid(),
      createdAt: NOON,
      passwordHash: Uint8Array.of(0, 1, 255),
      mosquittoHash: '$7$',
    },
    entry(),
  )
  await store.presences.set(siteUuid, one.deviceUuid, { isOnline: true, at: NOON }, false)
  await store.presences.set(siteUuid, gatewayUuid, { isOnline: false, at: NOON }, false)
  await store.events.append(siteUuid, [
    {
      eventUuid: newUuid(),
      type: 'device.online',
      at: NOON,
      recordedAt: NOON + 1,
      deviceUuid: one.deviceUuid,
      spaceUuid: null,
      data: { name: 'Ünïcode "{,}\\ ’' },
    },
  ])
  const observed = {
    deviceName: 'Meter',
    deviceType: 'electricityMeter',
    spaceUuid: newUuid(),
    spaceName: 'A1',
    gatewayUuid,
    offlineSince: NOON,
    reason: 'gateway',
    battery: { percent: 10, at: NOON },
  } as const
  for (const isFirst of [true, false])
    await store.deviceStatuses.update(
      siteUuid,
      {
        observed: [
          { ...observed, deviceUuid: one.deviceUuid, status: isFirst ? 'offline' : 'online' },
          { ...observed, deviceUuid: two.deviceUuid, status: 'offline' },
        ],
        removed: [],
        isFirst,
      },
      NOON,
    )
  await addDeliveries(store, siteUuid, one.deviceUuid)
  const refused = {
    at: NOON,
    topic: 'a/b',
    reason: 'not-json',
    message: 'No.',
    payload: '{"',
    payloadBytes: 2,
  }
  await store.rejected.add([
    { ...refused, gatewayUuid },
    { ...refused, gatewayUuid: null },
  ])
  for (const [at, state] of COMMAND_STATES.entries())
    await addCommandIn(state, store, one, { createdAt: NOON + at * HOUR, schedule: OVERRIDE })
  const key = { partnerUuid: newUuid(), key: 'one', digest: Uint8Array.of(1) }
  const played = await addCommand(store, two, { createdAt: NOON }, { runsOnServer: true, key })
  await apply(store, played, 'device-confirmed', NOON + 1)
  await addCommand(store, one, { createdAt: NOON + DAY })
  await store.outbox.claim(NOON + DAY, NOON + DAY + HOUR, 1)
}

/** A third site, as an operator adds one after a copy. */
export const anotherSite = () =>
  makeSmallSite('Europe/London', 1, [{ space: 0, metrics: { electricity: GAUGE } }])
