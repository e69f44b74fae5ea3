import type { DeviceSchedule } from '@portico/wire/v2/command'
import type { ScheduleView } from '../../../domain/control/command/service.ts'
import type { Device, SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import { toWireCommand } from '../../resources/command.ts'

export const toWireSchedule = (
  { site }: SiteModel,
  { record }: Device,
  { plan, now, next, pending }: ScheduleView,
): DeviceSchedule => ({
  deviceUuid: record.deviceUuid,
  timeZone: site.timeZone,
  plan: plan?.type === 'weekly' ? plan : null,
  now: { ...now, until: now.until === null ? null : isoInstant(now.until) },
  next: next && { at: isoInstant(next.at), target: next.target },
  pending: pending.map(toWireCommand),
})
