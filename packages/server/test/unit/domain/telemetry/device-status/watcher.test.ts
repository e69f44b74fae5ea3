import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailable } from '../../../../../src/kernel/errors.ts'
import { newUuid } from '../../../../../src/kernel/ids.ts'
import { createSiteModel } from '../../../../../src/domain/estate/inventory/site-model.ts'
import { METRIC_NAMES } from '../../../../../src/domain/metric/catalogue.ts'
import type { ReportedStatus } from '../../../../../src/domain/telemetry/device-status/reported-status.ts'
import { createStatusObserver } from '../../../../../src/domain/telemetry/device-status/watcher.ts'
import { DamagedData } from '../../../../../src/store/damage.ts'
import { newMeterInventory } from '../../../../support/seed.ts'

const MINUTE_MS = 60_000
const START = Date.UTC(2026, 0, 1)

/** Observes a site with one device, which has a reading. */
async function watchSite(otherSites: readonly string[] = []) {
  const { site, buildings, spaces, devices } = newMeterInventory()
  const [device] = devices
  assert.ok(device)
  const stored = <T extends object>(record: T) => ({ record, isArchived: false, series: {} })
  const state = {
    now: START,
    version: 1,
    latest: { at: START, value: 1 },
    isSeen: true,
    loads: 0,
    setBackMs: 0,
    /** Whether each load was that of an active site. */
    actives: [] as boolean[],
    /** What cannot be read of the other sites. */
    damage: undefined as { read: 'model' | 'version'; error: Error } | undefined,
  }
  const isOther = (siteUuid: string): boolean => siteUuid !== site.siteUuid
  const failIf = (read: 'model' | 'version', siteUuid: string): void => {
    if (isOther(siteUuid) && state.damage?.read === read) throw state.damage.error
  }
  const statuses = new Map<string, ReportedStatus>()
  const errors: unknown[] = []
  let failure: Error | undefined
  const load = (siteUuid: string, isActive: boolean) => {
    failIf('model', siteUuid)
    if (!isOther(siteUuid)) {
      state.loads += 1
      state.actives.push(isActive)
    }
    state.now -= state.setBackMs
    state.setBackMs = 0
    return createSiteModel(
      {
        version: state.version,
        site,
        buildings: buildings.map(stored),
        spaces: spaces.map(stored),
        devices: [{ ...stored(device), series: { electricity: 1 }, placements: [] }],
      },
      METRIC_NAMES,
    )
  }
  const { observe, tick } = createStatusObserver({
    store: {
      list: async () => {
        if (failure) throw failure
        return statuses
      },
      update: async () => {},
    },
    events: { list: async () => [] },
    sites: { listAll: async () => [...otherSites.map((siteUuid) => ({ ...site, siteUuid })), site] },
    siteDirectory: {
      find: (siteUuid) => load(siteUuid, true),
      inspect: (siteUuid) => load(siteUuid, false),
      version(siteUuid) {
        failIf('version', siteUuid)
        return state.version
      },
    },
    readings: { latest: async () => (state.isSeen ? new Map([[1, state.latest]]) : new Map()) },
    presences: { list: async () => new Map() },
    usualSteps: { load: async () => new Map() },
    clock: { now: () => state.now },
    onError: (error) => void errors.push(error),
  })
  await tick(true)
  return {
    state,
    statuses,
    errors,
    failWith(error: Error | undefined): void {
      failure = error
    },
    deviceUuid: device.deviceUuid,
    observe: () => observe(site.siteUuid),
    tick,
    /** Lets a minute pass, and returns how often the site was loaded in it. */
    async passMinute(): Promise<number> {
      const before = state.loads
      state.now += MINUTE_MS + 1
      await tick(true)
      return state.loads - before
    },
  }
}

test('an idle site is loaded once', async () => {
  const { state, passMinute } = await watchSite()
  assert.equal(state.loads, 1)
  assert.equal(await passMinute(), 0)
  assert.equal(await passMinute(), 0)
})

test('a site is observed again when its inventory or a signal changes, and when a device falls silent', async () => {
  const { state, passMinute } = await watchSite()
  state.version += 1
  assert.equal(await passMinute(), 1)
  state.latest = { at: state.latest.at, value: 2 }
  assert.equal(await passMinute(), 1)
  state.latest = { at: state.now, value: 2 }
  assert.equal(await passMinute(), 1)
  assert.equal(await passMinute(), 0)
  state.isSeen = false
  assert.equal(await passMinute(), 1)
  state.isSeen = true
  assert.equal(await passMinute(), 1)
  state.now = state.latest.at + 2 * 3_600_000
  assert.equal(await passMinute(), 1)
})

test('a tick observes a site once, even if the clock is set back while it does', async () => {
  const { state, statuses, deviceUuid, observe, tick } = await watchSite()
  statuses.set(deviceUuid, {
    status: 'offline',
    since: START,
    pending: 'online',
    pendingSince: START - 1,
    isBatteryLow: false,
  })
  state.now = START + MINUTE_MS
  observe()
  state.setBackMs = 10 * MINUTE_MS
  const before = state.loads
  await tick(false)
  assert.equal(state.loads - before, 1)
})

test('an observation that an unavailable store ended is repeated after some seconds', async () => {
  const failure = unavailable('The store is down.')
  const { state, errors, failWith, observe, tick } = await watchSite()
  observe()
  failWith(failure)
  await assert.rejects(tick(false), failure)
  assert.deepEqual(errors, [])
  failWith(undefined)
  const before = state.loads
  state.now += 4_999
  await tick(false)
  assert.equal(state.loads - before, 0)
  state.now += 1
  await tick(false)
  assert.equal(state.loads - before, 1)
  assert.equal(state.actives.at(-1), true, 'the observation was requested')
})

test('a damaged site is observed again after some seconds, and does not end the tick', async () => {
  const damage = new DamagedData('A row is damaged')
  const { state, errors, failWith, observe, tick } = await watchSite()
  observe()
  failWith(damage)
  await tick(false)
  assert.deepEqual(errors, [damage])
  failWith(undefined)
  const before = state.loads
  state.now += 5_000
  await tick(false)
  assert.equal(state.loads - before, 1)
})

for (const read of ['model', 'version'] as const)
  test(`the sweep continues after a site whose ${read} is damaged`, async () => {
    const { state, errors, tick } = await watchSite([newUuid()])
    const damage = new DamagedData('A row is damaged')
    await tick(true)
    errors.length = 0
    state.damage = { read, error: damage }
    state.version += 1
    state.now += MINUTE_MS + 1
    const before = state.loads
    await tick(true)
    assert.equal(state.loads - before, 1)
    assert.ok(errors.length > 0 && errors.every((error) => error === damage))
  })

test('a site is observed again after the clock was set back', async () => {
  const { state, passMinute } = await watchSite()
  state.now -= 10 * MINUTE_MS
  assert.equal(await passMinute(), 1)
})
