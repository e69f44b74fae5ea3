import { setTimeout as delay } from 'node:timers/promises'
import type { Event } from '@portico/wire/v2/event'
import { type Command, positional, stringValue } from '../command.ts'
import { createInterruption } from '../interruption.ts'
import { readUuid } from '../values.ts'

const POLL_MS = 1_000

export const command: Command = {
  parameters: 'SITE',
  positionals: { min: 1, max: 1 },
  options: { types: { type: 'string' } },
  help: { types: 'Only these types, separated by commas, such as command.updated,device.offline.' },
  async run(call) {
    const siteUuid = readUuid(positional(call, 0), 'SITE')
    const types = stringValue(call.values, 'types')
    const interruption = createInterruption()
    await using operator = await call.connect()
    call.out.note('Events of the last hour, then new ones as they happen. Press Ctrl-C to stop.')
    for (let after: number | undefined; !interruption.aborted; ) {
      const { data, pagination } = await operator.readEvents(siteUuid, {
        ...(after === undefined ? {} : { after }),
        ...(types === undefined ? {} : { types }),
      })
      for (const event of data) call.out.result(event, formatEvent(event))
      after = pagination.nextAfter
      if (!pagination.hasMore) await delay(POLL_MS, undefined, { signal: interruption }).catch(() => {})
    }
    return 0
  },
}

const formatEvent = (event: Event): string =>
  [event.timestamp, event.number, event.type, event.deviceUuid ?? '-', summarize(event)].join('  ')

function summarize(event: Event): string {
  if (event.type === 'command.updated') {
    const { previousState, command: changed } = event.data
    return `${changed.commandUuid}  ${previousState ?? 'new'} → ${changed.state}`
  }
  if (event.type === 'inventory.changed') {
    const { created, updated, archived } = event.data
    return `${created} created, ${updated} updated, ${archived} archived`
  }
  if (event.type === 'day.closed') {
    const { date, series, complete } = event.data
    return `${date}  ${complete} of ${series} series complete`
  }
  if (event.type === 'data.corrected') {
    const { spaceUuid, metricType, fromDateTime, days } = event.data
    return `${spaceUuid}  ${metricType}  ${days} ${days === 1 ? 'day' : 'days'} from ${fromDateTime}`
  }
  const { deviceName, spaceName } = event.data
  if (event.type === 'device.battery_low') return `${deviceName} in ${spaceName}  ${event.data.percent} %`
  const { reason } = event.data
  return `${deviceName} in ${spaceName}${reason === null ? '' : ` (${reason})`}`
}
