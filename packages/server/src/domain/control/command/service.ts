import type { Actor } from '../../identity/audit.ts'
import { AppError, type FieldError, invalidField, notFound } from '../../../kernel/errors.ts'
import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { parseZoneName, type Zone, getZone } from '../../../calendar/zone.ts'
import type { Partner } from '../../identity/partner/partner.ts'
import { checkTarget, listTargets } from '../schedule/bounds.ts'
import { loadPlan, runsOnServer } from './device-plan.ts'
import type { Command } from './command.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { parseCommandTime } from '../../../calendar/parse-time.ts'
import { checkPeriods } from '../schedule/periods.ts'
import { activeAt, nextChange } from '../schedule/plan.ts'
import type { CommandEvent, CommandStore, IdempotencyKey } from './store.ts'
import { applyEvent } from './transition.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DEFAULT_MAX_BOOST_MINUTES = 240

export interface CommandService {
  /** Validates a schedule against the device, the site's policy and the clock, and stores it. */
  send(model: SiteModel, device: Device, schedule: Schedule, caller: Caller): Promise<SendResult>
  /** The command that an earlier request with the same key created. */
  replay(model: SiteModel, key: IdempotencyKey): Promise<Command | undefined>
  /** Cancels the command, even on a device that has already received it. */
  cancel(model: SiteModel, device: Device, commandUuid: string, caller: Omit<Caller, 'key'>): Promise<Command>
  get(model: SiteModel, device: Device, commandUuid: string): Promise<Command>
  list: CommandStore['list']
  /** The device's current target, its next change and its unfinished commands. */
  getSchedule(model: SiteModel, device: Device): Promise<ScheduleView>
}

export interface Caller {
  partner: Partner
  traceId: string
  key: IdempotencyKey | undefined
}

export interface SendResult {
  command: Command
  /** The command was created by an earlier request with the same key. */
  isReplayed: boolean
}

export interface ScheduleView {
  /** The most recently confirmed weekly plan. */
  plan: Schedule | null
  now: ReturnType<typeof activeAt>
  next: ReturnType<typeof nextChange>
  pending: Command[]
}

const toOfflineEvent = (at: number): CommandEvent => ({
  event: 'offline',
  at,
  reason: { code: 'DEVICE_OFFLINE', message: 'The device is offline, and failIfOffline is set.' },
})
const REQUESTED = { code: 'REQUESTED' as const, message: 'Cancelled by the partner.' }

export function createCommandService({
  store,
  clock,
  isOffline,
  onAccepted,
}: {
  store: CommandStore
  clock: Clock
  isOffline(model: SiteModel, device: Device): Promise<boolean>
  /** Called when there is a message to send. */
  onAccepted(): void
}): CommandService {
  /** Whether the device has a weekly schedule, or will have one when it confirms the commands sent to it. */
  async function hasWeeklySchedule(model: SiteModel, device: Device): Promise<boolean> {
    const { siteUuid } = model.site
    const { deviceUuid } = device.record
    const isWeekly = ({ type }: { type: string }): boolean => type === 'weekly'
    return (
      (await store.confirmed(siteUuid, deviceUuid, clock.now())).some(isWeekly) ||
      (await store.unfinished(siteUuid, deviceUuid)).some(isWeekly)
    )
  }

  return {
    async send(model, device, schedule, { partner, traceId, key }) {
      const now = clock.now()
      requireCapability(device, schedule)
      const zone = zoneFor(schedule, model)
      const errors = [...checkTargets(model, device, schedule), ...checkShape(device, schedule)]
      if (errors.length > 0) {
        throw new AppError('validation-error', 'The schedule is not valid for this device; see `errors`.', {
          errors,
        })
      }
      const end = endOfEffect(schedule, zone, now)
      const expiresAt = resolveExpiry(schedule, zone, now, end)
      if (
        schedule.type === 'override' &&
        schedule.untilNextPeriod === true &&
        !(await hasWeeklySchedule(model, device))
      )
        throw invalidField('untilNextPeriod', 'no-weekly-schedule', 'needs a weekly schedule on the device')
      const failsOffline = schedule.failIfOffline === true && (await isOffline(model, device))
      const accepted: Command = {
        siteUuid: model.site.siteUuid,
        deviceUuid: device.record.deviceUuid,
        commandUuid: newUuid(),
        partnerUuid: partner.partnerUuid,
        type: schedule.type,
        state: 'PENDING',
        createdAt: now,
        updatedAt: now,
        expiresAt,
        completedAt: null,
        failureReason: null,
        clientReference: schedule.clientReference ?? null,
        schedule: schedule.timeZone === undefined ? schedule : { ...schedule, timeZone: zone.name },
      }
      const failed = failsOffline ? applyEvent(accepted, toOfflineEvent(now), null) : undefined
      const command = failed?.command ?? accepted
      const outcome = await store.add(model.site.siteUuid, {
        command,
        endsAt: end ?? null,
        siteZone: model.site.timeZone,
        runsOnServer: runsOnServer(device),
        key,
        entry: {
          at: now,
          actor: toActor({ partner, traceId }),
          action: 'command.accepted',
          target: command.commandUuid,
          detail: { siteUuid: command.siteUuid, deviceUuid: command.deviceUuid, type: command.type },
        },
      })
      if (outcome.outcome === 'key-reused') throw keyReused()
      if (outcome.outcome === 'replayed') return { command: outcome.command, isReplayed: true }
      onAccepted()
      return { command, isReplayed: false }
    },

    async replay(model, key) {
      const outcome = await store.replay(model.site.siteUuid, key, clock.now())
      if (outcome?.outcome === 'key-reused') throw keyReused()
      return outcome?.outcome === 'replayed' ? outcome.command : undefined
    },

    async cancel(model, device, commandUuid, caller) {
      const { siteUuid } = model.site
      const actor = toActor(caller)
      const event = { event: 'cancelled' as const, reason: REQUESTED, at: clock.now(), actor }
      const applied = await store.apply(siteUuid, device.record.deviceUuid, commandUuid, event)
      if (!applied) throw notFound('command')
      if (!applied.isChanged)
        throw new AppError('conflict', `The command is already ${applied.command.state}.`)
      onAccepted()
      return applied.command
    },

    async get(model, device, commandUuid) {
      const command = await store.get(model.site.siteUuid, device.record.deviceUuid, commandUuid)
      if (!command) throw notFound('command')
      return command
    },

    list: (siteUuid, deviceUuid, page) => store.list(siteUuid, deviceUuid, page),

    async getSchedule(model, device) {
      const now = clock.now()
      const { siteUuid } = model.site
      const { deviceUuid } = device.record
      const confirmed = await store.confirmed(siteUuid, deviceUuid, now)
      const plan = await loadPlan(store, model, device, now)
      return {
        plan: confirmed.find(({ type }) => type === 'weekly')?.schedule ?? null,
        now: activeAt(plan, now),
        next: nextChange(plan, now),
        pending: await store.unfinished(siteUuid, deviceUuid),
      }
    },
  }
}

const toActor = ({ partner, traceId }: Omit<Caller, 'key'>): Actor => ({
  kind: 'partner',
  id: partner.partnerUuid,
  name: partner.name,
  traceId,
})

const keyReused = (): AppError =>
  new AppError('idempotency-key-reused', 'This Idempotency-Key was used with a different request.')

function requireCapability({ record }: Device, { type }: Schedule): void {
  const types = record.capabilities.schedule?.types ?? []
  if (types.length === 0) throw new AppError('not-controllable', 'This device cannot be controlled.')
  if (!types.includes(type)) {
    throw new AppError(
      'not-controllable',
      `This device does not support ${type}; it supports ${types.join(', ')}.`,
    )
  }
}

function zoneFor({ timeZone }: Schedule, model: SiteModel): Zone {
  if (timeZone === undefined) return model.zone
  const name = parseZoneName(timeZone)
  if (name === undefined) {
    throw invalidField(
      'timeZone',
      'unknown-zone',
      'must be a time zone of the IANA database, such as Europe/London or UTC',
    )
  }
  return getZone(name)
}

function checkTargets(model: SiteModel, { record }: Device, schedule: Schedule): FieldError[] {
  return listTargets(schedule).flatMap(([field, target]) => checkTarget(target, field, record, model.policy))
}

const ENDS = ['until', 'durationMinutes', 'untilNextPeriod', 'permanent'] as const

function checkShape({ record }: Device, schedule: Schedule): FieldError[] {
  const { capabilities } = record
  if (schedule.type === 'weekly') {
    return checkPeriods(schedule.periods, {
      minuteStep: capabilities.schedule?.minuteStep ?? 1,
      maxPeriodsPerDay: capabilities.schedule?.maxPeriodsPerDay,
    })
  }
  if (schedule.type === 'override' && ENDS.filter((name) => schedule[name] !== undefined).length !== 1) {
    return [
      { field: 'until', code: 'exactly-one', message: `must be given as exactly one of ${ENDS.join(', ')}` },
    ]
  }
  if (schedule.type === 'boost') {
    if (!capabilities.setpoint && capabilities.power !== true) {
      const message = 'needs a device with a setpoint or a switch'
      return [{ field: 'type', code: 'not-supported', message }]
    }
    const max = capabilities.boost?.maxMinutes ?? DEFAULT_MAX_BOOST_MINUTES
    if (schedule.durationMinutes > max) {
      return [
        {
          field: 'durationMinutes',
          code: 'out-of-bounds',
          message: `must be at most ${max} for this device`,
        },
      ]
    }
  }
  return []
}

/** When the command's effect ends; undefined if it lasts until another command or period. */
function endOfEffect(schedule: Schedule, zone: Zone, now: number): number | undefined {
  if (schedule.type === 'oneOff') {
    const startsAt = parseCommandTime(schedule.startsAt, 'startsAt', zone)
    const endsAt = parseCommandTime(schedule.endsAt, 'endsAt', zone)
    if (endsAt <= startsAt) throw invalidField('endsAt', 'out-of-range', 'must be after startsAt')
    if (endsAt <= now) throw invalidField('endsAt', 'out-of-range', 'must be in the future')
    return endsAt
  }
  if (schedule.type === 'override') {
    if (schedule.durationMinutes !== undefined) return now + schedule.durationMinutes * MINUTE_MS
    if (schedule.until === undefined) return undefined
    const until = parseCommandTime(schedule.until, 'until', zone)
    if (until <= now) throw invalidField('until', 'out-of-range', 'must be in the future')
    return until
  }
  return schedule.type === 'boost' ? now + schedule.durationMinutes * MINUTE_MS : undefined
}

/** A day from now or the end of the effect, whichever is earlier, unless the caller requests an earlier expiry. */
function resolveExpiry(schedule: Schedule, zone: Zone, now: number, end: number | undefined): number {
  const latest = Math.min(now + DAY_MS, end ?? Number.POSITIVE_INFINITY)
  if (schedule.expiresAt === undefined) return latest
  const requested = parseCommandTime(schedule.expiresAt, 'expiresAt', zone)
  if (requested <= now) throw invalidField('expiresAt', 'out-of-range', 'must be in the future')
  if (requested > now + DAY_MS)
    throw invalidField('expiresAt', 'out-of-range', 'must be at most 24 hours ahead')
  return Math.min(requested, latest)
}
