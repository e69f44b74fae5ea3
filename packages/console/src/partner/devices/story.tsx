import {
  type Command,
  type Device,
  type DevicePlacement,
  type DeviceRejection,
  type DeviceSeriesBatch,
  type Event,
  type EventPage,
  GoneError,
} from '@portico/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type ApiCall, v2 } from '../../api.ts'
import { Moment } from '../../components/moment.tsx'
import { Panel, ResourceContent } from '../../components/panel.tsx'
import { type Resource, useCall, useList } from '../../resource.ts'
import { getQuery, setQuery } from '../../route.ts'
import { hasRole } from '../../session.ts'
import { findOldest } from '../events/log-state.ts'
import { formatZoned, formatZonedClock, formatZonedDay } from '../site-time.ts'
import { STORY_KINDS, type StoryEntry, type StoryKind, toStory } from './story.ts'

/** How far back the events of a device are read, as a number of events of the site. */
const EVENTS_BACK = 20_000
const PAGE_ROWS = 50

const KIND_NAMES: Readonly<Record<StoryKind, string>> = {
  readings: 'Readings',
  presence: 'Presence',
  commands: 'Commands',
  moves: 'Moves',
  rejected: 'Rejected messages',
  warnings: 'Warnings',
}

interface StoryProps {
  siteId: string
  device: Device
  timeZone: string
  commands: Resource<Command[]>
  hours: Resource<DeviceSeriesBatch>
  /** Changes when the event log may have new events. */
  round: number
}

/** The timeline of a device: readings, presence, commands, moves, rejected messages and warnings. */
export function StoryPanel({ siteId, device, timeZone, commands, hours, round }: StoryProps): JSX.Element {
  const events = useDeviceEvents(siteId, device.deviceUuid, round)
  const [limit, setLimit] = useState(PAGE_ROWS)
  const kinds = parseKinds(getQuery('story'))
  const path = `/devices/${encodeURIComponent(device.deviceUuid)}`
  const placements = useList<DevicePlacement>(v2('GET', `${path}/placements`, { siteId }))
  const rejected = useList<DeviceRejection>(v2('GET', `${path}/rejected`, { siteId }))
  const sources = [commands, hours, placements, rejected].map(({ call }) => call)
  return (
    <Panel
      title="Story"
      lead="Readings, presence, commands, moves, rejected messages and warnings, newest first."
      calls={[events.call, ...sources]}
    >
      <fieldset class="story-kinds">
        <legend class="hidden">Show</legend>
        {STORY_KINDS.map((kind) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={({ currentTarget }) => setKinds(kinds, kind, currentTarget.checked)}
            />
            <span>{KIND_NAMES[kind]}</span>
          </label>
        ))}
      </fieldset>
      <ResourceContent resource={events.resource}>
        {(page) => {
          const story = toStory({
            events: page,
            commands: commands.data ?? [],
            hours: hours.data,
            placements: placements.data ?? [],
            rejected: rejected.data ?? [],
            warnings: device.warnings,
            timeZone,
          }).filter(({ kind }) => kinds.includes(kind))
          if (story.length === 0) return <p class="quiet">Nothing is known about this device yet.</p>
          return (
            <>
              <StoryList entries={story.slice(0, limit)} timeZone={timeZone} />
              {story.length > limit && (
                <button type="button" class="button" onClick={() => setLimit(limit + PAGE_ROWS)}>
                  More
                </button>
              )}
            </>
          )
        }}
      </ResourceContent>
    </Panel>
  )
}

function parseKinds(text: string | undefined): readonly StoryKind[] {
  if (text === undefined) return STORY_KINDS
  const names = text.split(',')
  return STORY_KINDS.filter((kind) => names.includes(kind))
}

function setKinds(kinds: readonly StoryKind[], kind: StoryKind, isShown: boolean): void {
  const chosen = STORY_KINDS.filter((one) => (one === kind ? isShown : kinds.includes(one)))
  setQuery({ story: chosen.length === STORY_KINDS.length ? undefined : chosen.join(',') || 'none' })
}

function StoryList({ entries, timeZone }: { entries: readonly StoryEntry[]; timeZone: string }): JSX.Element {
  const days = Map.groupBy(entries, ({ at }) => formatZonedDay(at, timeZone))
  return (
    <div class="story">
      {[...days].map(([day, list]) => (
        <section key={day} aria-label={day}>
          <h3>{day}</h3>
          <ol>
            {list.map(({ key, at, title, text, tone }) => (
              <li key={key} class={tone}>
                <time dateTime={new Date(at).toISOString()} title={formatZoned(at, timeZone)}>
                  {formatZonedClock(at, timeZone)}
                </time>
                <span class="story-mark" aria-hidden="true" />
                <div>
                  <strong>{title}</strong>
                  <span class="quiet">{text}</span>
                </div>
              </li>
            ))}
          </ol>
        </section>
      ))}
      <p class="quiet">
        Times are those of the site ({timeZone}). The oldest entry is from{' '}
        <Moment at={entries.at(-1)?.at ?? null} />.
      </p>
    </div>
  )
}

/** The events of a device that the log still has. */
function useDeviceEvents(
  siteId: string,
  deviceUuid: string,
  round: number,
): { resource: Resource<Event[]>; call: ApiCall | undefined } {
  const isAllowed = hasRole('Events.Read')
  const toCall = (after?: number): ApiCall =>
    v2('GET', '/events', { siteId, query: { deviceUuid, after, limit: 1000 } })
  // Without a number, the page covers the last hour and shows the current end of the log.
  const recent = useCall<EventPage>(isAllowed ? toCall() : undefined, { refreshMs: 0 })
  const start = recent.data && Math.max(0, recent.data.pagination.nextAfter - EVENTS_BACK)
  const probe = useCall<EventPage>(start === undefined ? undefined : toCall(start))
  const oldest = probe.error instanceof GoneError ? findOldest(probe.error) : undefined
  const rest = useCall<EventPage>(oldest === undefined ? undefined : toCall(oldest - 1))
  const source = oldest === undefined ? probe : rest
  useEffect(() => {
    if (round > 0) source.reload()
  }, [round])
  if (!isAllowed) return { resource: { ...toResource(recent), data: [], isLoading: false }, call: undefined }
  const failed = recent.error && !recent.data ? recent : source
  return { resource: toResource(failed), call: source.call }
}

const toResource = (page: Resource<EventPage>): Resource<Event[]> => ({ ...page, data: page.data?.data })
