import type { Event } from '@portico/sdk'
import type { Tone } from '../../components/badge.tsx'
import { formatSiteDay, plural, toMetricName } from '../../format.ts'
import { describeSchedule, describeState, toTypeName } from '../devices/words.ts'

export const EVENT_TYPES = [
  'command.updated',
  'device.online',
  'device.offline',
  'device.battery_low',
  'inventory.changed',
  'day.closed',
  'data.corrected',
] as const

export interface EventWords {
  title: string
  text: string
  tone: Tone
}

const REASONS: Readonly<Record<string, string>> = {
  presence: 'The device reported it.',
  gateway: 'Its gateway is offline.',
  silent: 'It has sent nothing for too long.',
}

const STATE_TONES: Readonly<Record<string, Tone>> = {
  CONFIRMED: 'good',
  FAILED: 'bad',
  EXPIRED: 'bad',
  CANCELLED: 'neutral',
}

/** An event in a few words. */
export function describeEvent(event: Event, timeZone: string): EventWords {
  switch (event.type) {
    case 'command.updated': {
      const { state, type, schedule, failureReason } = event.data.command
      return {
        title: `${toTypeName(type)} ${state.toLowerCase()}`,
        text: failureReason ? describeState(state, failureReason) : describeSchedule(schedule, timeZone),
        tone: STATE_TONES[state] ?? 'info',
      }
    }
    case 'device.online':
      return { title: 'Online', text: 'The device is reachable again.', tone: 'good' }
    case 'device.offline':
      return {
        title: 'Offline',
        text: REASONS[event.data.reason ?? ''] ?? 'The device is offline.',
        tone: 'bad',
      }
    case 'device.battery_low':
      return { title: 'Battery low', text: `${event.data.percent} % are left.`, tone: 'warning' }
    case 'day.closed': {
      const { date, series, complete } = event.data
      return {
        title: `${formatSiteDay(date)} closed`,
        text: `${complete} of ${plural(series, 'series', 'series')} are complete.`,
        tone: 'neutral',
      }
    }
    case 'data.corrected': {
      const { metricType, fromDateTime, days } = event.data
      return {
        title: `${toMetricName(metricType)} corrected`,
        text: `${plural(days, 'day')} from ${formatSiteDay(fromDateTime)}`,
        tone: 'info',
      }
    }
    case 'inventory.changed': {
      const { created, updated, archived } = event.data
      const parts = [
        [created, 'created'],
        [updated, 'changed'],
        [archived, 'archived'],
      ].flatMap(([count, what]) => (Number(count) > 0 ? [`${plural(Number(count), 'record')} ${what}`] : []))
      return { title: 'Inventory changed', text: parts.join(', '), tone: 'neutral' }
    }
    default:
      return describeUnknown(event)
  }
}

/** Later versions of the server may have further types. */
const describeUnknown = (event: { type: string }): EventWords => ({
  title: event.type,
  text: '',
  tone: 'neutral',
})
