import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../eventually.ts'
import type { Random } from '../histories/random.ts'
import { asInstant, asString, type JsonObject } from '../json.ts'
import type { Answer } from '../clients/requests.ts'
import { oneOff, override } from './bodies.ts'
import type { ControlHarness } from './control-harness.ts'
import { type ControlSite, getId } from './control-site.ts'
import type { RecordingDevice } from './recording-device.ts'

export interface ChaosRun {
  control: ControlHarness
  site: ControlSite
  device: RecordingDevice
  random: Random
  /** Causes a failure, immediately, and repairs it. */
  fault(): Promise<void>
}

/** An accepted command, and the partner's later actions on it. */
interface AcceptedCommand {
  kind: 'plain' | 'expiring' | 'cancelled'
  command: JsonObject
}

const finals = ['CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED']
/** A message may be in flight when its command ends; one that arrives later than this was sent after the end. */
const FLIGHT_MS = 5_000

/** Sends commands during failures, then waits: every accepted command must reach the correct final state. */
export async function runChaos(storm: ChaosRun, rounds: number): Promise<void> {
  const { control, site, device, random } = storm
  const accepted: AcceptedCommand[] = []
  // Loads what checking a response needs, before anything fails.
  await (await site.client()).get(`/devices/${site.house.trv}`)
  const weather = new AbortController()
  const partner = work(storm, accepted, weather.signal)
  for (let round = 0; round < rounds; round += 1) {
    await delay(300 + random.below(900))
    await eventually(
      async () => assert.ok(accepted.length > round, `${accepted.length} were accepted`),
      60_000,
    )
    await storm.fault()
  }
  await delay(300)
  weather.abort()
  await partner
  await device.quiet()

  await sayAgain(storm)
  // By then, every retry is due.
  await control.restart({ at: control.clock.now() + 15 * 60_000 })
  const ended = new Map<string, JsonObject>()
  for (const { command } of accepted) {
    await eventually(async () => {
      const now = await site.command(command)
      assert.ok(finals.includes(asString(now['state'])), JSON.stringify(now))
      ended.set(getId(command), now)
    })
  }
  for (const one of accepted) assertEnd(one, ended.get(getId(one.command)) ?? {}, device)
  await assertListedOnce(site, accepted)
  await assertOver(storm, ended)
}

/**
 * A killed broker may have lost responses that it had acknowledged: the device repeats all of them, which is harmless.
 */
async function sayAgain({ site, device }: ChaosRun): Promise<void> {
  for (const commandUuid of device.applied) await device.say(commandUuid, 'confirmed')
  for (const commandUuid of device.applied) {
    await eventually(async () => {
      const { state } = await site.command({ deviceUuid: device.deviceUuid, commandUuid })
      assert.ok(finals.includes(asString(state)), `${commandUuid} is ${asString(state)}`)
    })
  }
}

/** Sends one-offs that do not overlap, one after another, each with its idempotency key until there is a response. */
async function work(storm: ChaosRun, accepted: AcceptedCommand[], signal: AbortSignal): Promise<void> {
  const { control, site, random } = storm
  for (let number = 1; !signal.aborted; number += 1) {
    const kind = random.pick(['plain', 'plain', 'plain', 'expiring', 'cancelled'] as const)
    const expiresAt = new Date(control.clock.now() + 1000 + random.below(3000)).toISOString()
    const hours: [number, number] = [number * 3600, number * 3600 + 1800]
    const body = oneOff(control.clock.now(), hours, 20, {
      clientReference: `order ${number}`,
      ...(kind === 'expiring' ? { expiresAt } : {}),
    })
    const headers = { 'Idempotency-Key': randomUUID() }
    // 409: an earlier attempt with this key is still in progress.
    const answer = await insist(() => site.send(body, site.house.trv, headers), [409, 503])
    // The command may have expired before it reached the server: nothing was accepted.
    if (kind === 'expiring' && answer.status === 400) continue
    assert.equal(answer.status, 202, answer.text)
    accepted.push({ kind, command: answer.json })
    if (kind === 'cancelled') {
      const gone = await insist(() => site.cancel(answer.json), [503])
      assert.ok([200, 409].includes(gone.status), gone.text)
    }
    await delay(random.below(60))
  }
}

/** Retries while no server responds, or the server cannot serve the request. */
async function insist(call: () => Promise<Answer>, busy: number[]): Promise<Answer> {
  return eventually(async () => {
    const answer = await call()
    if (busy.includes(answer.status)) throw new Error(answer.text)
    return answer
  })
}

function assertEnd({ kind, command }: AcceptedCommand, end: JsonObject, device: RecordingDevice): void {
  const text = `${kind}: ${JSON.stringify(end)}`
  const allowed = {
    plain: ['CONFIRMED'],
    expiring: ['CONFIRMED', 'EXPIRED'],
    cancelled: ['CONFIRMED', 'CANCELLED'],
  }[kind]
  assert.ok(allowed.includes(asString(end['state'])), text)
  const orders = device.about(getId(command)).filter(({ type }) => type !== 'cancel')
  if (end['state'] === 'CONFIRMED') assert.ok(orders.length > 0, `never sent: ${text}`)
  for (const { payload, at } of orders) {
    assert.deepEqual(payload, orders[0]?.payload)
    assert.ok(at <= asInstant(end['completedAt']) + FLIGHT_MS, `sent after its end: ${text}`)
    assert.ok(at <= asInstant(end['expiresAt']) + FLIGHT_MS, `sent after its expiry: ${text}`)
  }
  const applied = device.applied.filter((uuid) => uuid === getId(command))
  assert.equal(applied.length, orders.length > 0 ? 1 : 0, text)
}

/** Asserts that no order was executed twice and none without being accepted. */
async function assertListedOnce(site: ControlSite, accepted: AcceptedCommand[]): Promise<void> {
  const listed = await (await site.client()).listAll(`/devices/${site.house.trv}/commands`)
  const references = listed.map(({ clientReference }) => asString(clientReference))
  assert.deepEqual(references.toSorted(), [...new Set(references)].toSorted())
  assert.deepEqual(
    new Set(listed.map((command) => getId(command))),
    new Set(accepted.map(({ command }) => getId(command))),
  )
}

/**
 * Asserts that final commands stay final: neither a restart nor a reconnecting device causes any message. A single
 * cancel is allowed if a kill left it unknown whether the command had reached the device.
 */
async function assertOver(
  { control, site, device }: ChaosRun,
  ended: Map<string, JsonObject>,
): Promise<void> {
  await device.quiet()
  const count = device.ledger.length
  await device.present('offline')
  await device.present('online')
  await control.restart({ at: control.clock.now() })
  const last = await site.confirmed(override(20))
  const since = device.ledger.slice(count)
  const orders = since.filter(({ type }) => type !== 'cancel')
  assert.deepEqual([...new Set(orders.map(({ commandUuid }) => commandUuid))], [getId(last)])
  const takenBack = since
    .filter(({ type }) => type === 'cancel')
    .map(({ payload }) => asString(payload['cancels']))
  assert.deepEqual(takenBack, [...new Set(takenBack)])
  for (const uuid of takenBack) assert.equal(ended.get(uuid)?.['state'], 'CANCELLED', uuid)
}
