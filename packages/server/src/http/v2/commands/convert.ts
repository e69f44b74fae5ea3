import type { DeviceSchedule, Command as WireCommand } from '@portico/wire/v2/command'
import type { Command } from '../../../domain/control/command/command.ts'
import type { ScheduleView } from '../../../domain/control/command/service.ts'
import type { Device, SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import { isoInstant } from '../../../kernel/clock.ts'

export const toWireCommand = (command: Command): WireCommand => ({
  commandUuid: command.commandUuid,
  deviceUuid: command.deviceUuid,
  type: command.type,
  state: command.state,
  createdAt: isoInstant(command.createdAt),
  updatedAt: isoInstant(command.updatedAt),
  expiresAt: isoInstant(command.expiresAt),
  completedAt: command.completedAt === null ? null : isoInstant(command.completedAt),
  failureReason: command.failureReason,
  clientReference: command.clientReference,
  schedule: command.schedule,
})

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
