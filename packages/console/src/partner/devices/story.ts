import type {
  Command,
  DevicePlacement,
  DeviceRejection,
  DeviceSeriesBatch,
  Event,
  Warning,
} from '@portico/sdk'
import type { Tone } from '../../components/badge.tsx'
import { formatSiteTime, formatValue, plural, toMetricName } from '../../format.ts'
import { describeEvent } from '../events/words.ts'
import { formatZoned } from '../site-time.ts'
import { toWarningName } from './filter.ts'
import { describeSchedule, describeState, toSentence, toTypeName } from './words.ts'

export const STORY_KINDS = ['readings', 'presence', 'commands', 'moves', 'rejected', 'warnings'] as const
export type StoryKind = (typeof STORY_KINDS)[number]

/** An entry of the timeline of a device. */
export interface StoryEntry {
  key: string
  kind: StoryKind
  at: number
  title: string
  text: string
  tone: Tone
}

interface StorySources {
  events: readonly Event[]
  commands: readonly Command[]
  hours: DeviceSeriesBatch | undefined
  /** Oldest first. */
  placements: readonly DevicePlacement[]
  /** Newest first. */
  rejected: readonly DeviceRejection[]
  warnings: readonly Warning[]
  timeZone: string
}

/** Everything that is known about a device on one timeline, newest first. */
export function toStory(sources: StorySources): StoryEntry[] {
  const { events, commands, hours, placements, rejected, warnings, timeZone } = sources
  const logged = new Set(
    events.flatMap((event) => (event.type === 'command.updated' ? [event.data.command.commandUuid] : [])),
  )
  const older = commands.filter(({ commandUuid }) => !logged.has(commandUuid))
  return [
    ...events.map((event) => toEventEntry(event, timeZone)),
    ...older.flatMap((command) => toCommandEntries(command, timeZone)),
    ...(hours ? toReadingEntries(hours) : []),
    ...toMoveEntries(placements),
    ...toRejectedEntries(rejected, timeZone),
    ...warnings.map(toWarningEntry),
  ].toSorted((a, b) => b.at - a.at || b.key.localeCompare(a.key))
}

function toEventEntry(event: Event, timeZone: string): StoryEntry {
  const { title, text, tone } = describeEvent(event, timeZone)
  return {
    // Numbers order the events of the same instant.
    key: `event ${String(event.number).padStart(12, '0')}`,
    kind: event.type === 'command.updated' ? 'commands' : 'presence',
    at: Date.parse(event.timestamp),
    title,
    text,
    tone,
  }
}

/** A command that the event log no longer has: its first and its last state. */
function toCommandEntries(command: Command, timeZone: string): StoryEntry[] {
  const { commandUuid, type, state, createdAt, completedAt, failureReason, schedule } = command
  const title = toTypeName(type)
  const text = describeSchedule(schedule, timeZone)
  const first: StoryEntry = {
    key: `command ${commandUuid} 0`,
    kind: 'commands',
    at: Date.parse(createdAt),
    title: `${title} sent`,
    text,
    tone: 'info',
  }
  if (completedAt === null) return [first]
  return [
    first,
    {
      key: `command ${commandUuid} 1`,
      kind: 'commands',
      at: Date.parse(completedAt),
      title: `${title} ${state.toLowerCase()}`,
      text: describeState(state, failureReason),
      tone: state === 'CONFIRMED' ? 'good' : 'bad',
    },
  ]
}

type HourState = 'data' | 'suspect' | 'none'

interface Run {
  state: HourState
  first: number
  last: number
}

/** Consecutive hours with readings, with suspect ones or without any become one entry each. */
export function toReadingEntries({ series, timestamps, toDateTime }: DeviceSeriesBatch): StoryEntry[] {
  const runs: Run[] = []
  for (const index of timestamps.keys()) {
    const qualities = series.map(({ quality }) => quality[index])
    const state = qualities.includes('suspect')
      ? 'suspect'
      : qualities.every((quality) => quality === 'missing')
        ? 'none'
        : 'data'
    const last = runs.at(-1)
    if (last?.state === state) last.last = index
    else runs.push({ state, first: index, last: index })
  }
  return runs.map((run) => {
    const end = timestamps[run.last + 1] ?? toDateTime
    return {
      key: `readings ${end}`,
      kind: 'readings',
      at: Math.min(Date.parse(end), Date.now()),
      ...describeRun(run, series, timestamps[run.first] ?? end, end),
    }
  })
}

function describeRun(
  { state, first, last }: Run,
  series: DeviceSeriesBatch['series'],
  start: string,
  end: string,
): Pick<StoryEntry, 'title' | 'text' | 'tone'> {
  const until = Date.parse(end) > Date.now() ? 'now' : formatSiteTime(end)
  const span = `${formatSiteTime(start)} to ${until}`
  const hours = plural(last - first + 1, 'hour')
  if (state === 'none') return { title: `No readings for ${hours}`, text: span, tone: 'warning' }
  const ranges = series.flatMap((columns) => describeRange(columns, first, last))
  return {
    title: state === 'data' ? `Readings over ${hours}` : `Suspect readings over ${hours}`,
    text: [span, ...ranges].join(' · '),
    tone: state === 'data' ? 'neutral' : 'warning',
  }
}

/** "Temperature 19.5 to 21 °C" for means, "Electricity 3.2 kWh" for sums. */
function describeRange(
  { metricType, unit, aggregation, values, min, max }: DeviceSeriesBatch['series'][number],
  first: number,
  last: number,
): string[] {
  const numbers = (column: readonly (number | null)[] | undefined): number[] =>
    (column ?? values).slice(first, last + 1).filter((value) => value !== null)
  if (numbers(values).length === 0) return []
  const name = toMetricName(metricType)
  if (aggregation === 'sum')
    return [
      `${name} ${formatValue(
        numbers(values).reduce((sum, value) => sum + value, 0),
        unit,
      )}`,
    ]
  const [low, high] = [Math.min(...numbers(min)), Math.max(...numbers(max))]
  return [
    low === high
      ? `${name} ${formatValue(low, unit)}`
      : `${name} ${formatValue(low)} to ${formatValue(high, unit)}`,
  ]
}

/** Moves of the device between spaces, and times when it was in none. */
export function toMoveEntries(placements: readonly DevicePlacement[]): StoryEntry[] {
  return placements.flatMap(({ spaceName, fromDateTime, toDateTime }, index) => {
    const [before, next] = [placements[index - 1], placements[index + 1]]
    const entries: StoryEntry[] = []
    const add = (at: string, title: string, text: string): void => {
      entries.push({ key: `move ${at}`, kind: 'moves', at: Date.parse(at), title, text, tone: 'info' })
    }
    if (fromDateTime !== null)
      add(
        fromDateTime,
        before ? `Moved to ${spaceName}` : `Placed in ${spaceName}`,
        before
          ? `It was in ${before.spaceName} before.`
          : 'Its readings have counted towards this space since then.',
      )
    if (toDateTime !== null && toDateTime !== next?.fromDateTime)
      add(toDateTime, `Removed from ${spaceName}`, 'It was in no space after that.')
    return entries
  })
}

/** Consecutive messages that were rejected for the same reason become one entry. */
export function toRejectedEntries(rejected: readonly DeviceRejection[], timeZone: string): StoryEntry[] {
  const runs: DeviceRejection[][] = []
  for (const rejection of rejected) {
    const last = runs.at(-1)
    const isSame = last?.[0]?.reason === rejection.reason && last[0].message === rejection.message
    if (isSame) last.push(rejection)
    else runs.push([rejection])
  }
  return runs.flatMap((run) => {
    const [newest, oldest] = [run[0], run.at(-1)]
    if (!newest || !oldest) return []
    const since = run.length > 1 ? ` · since ${formatZoned(oldest.timestamp, timeZone)}` : ''
    return {
      key: `rejected ${newest.timestamp} ${run.length}`,
      kind: 'rejected',
      at: Date.parse(newest.timestamp),
      title: run.length > 1 ? `${run.length} messages rejected` : 'Message rejected',
      text: `${toSentence(newest.message)} (${newest.reason})${since}`,
      tone: 'bad',
    }
  })
}

const toWarningEntry = ({ code, since, message }: Warning): StoryEntry => ({
  key: `warning ${code}`,
  kind: 'warnings',
  at: Date.parse(since),
  title: `Warning: ${toWarningName(code).toLowerCase()}`,
  text: toSentence(message),
  tone: 'warning',
})
