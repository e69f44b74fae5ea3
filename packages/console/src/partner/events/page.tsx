import type { Device, Event, Space } from '@portico/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { v2 } from '../../api.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { Empty, ErrorNote, Skeleton } from '../../components/states.tsx'
import { type Column, DataTable } from '../../components/table.tsx'
import { plural } from '../../format.ts'
import { useList } from '../../resource.ts'
import { getQuery } from '../../route.ts'
import { hasRole } from '../../session.ts'
import { Select } from '../filter.tsx'
import { useSite } from '../site.ts'
import { formatZoned } from '../site-time.ts'
import { type LiveLog, type LiveStatus, useLiveLog } from './live.ts'
import { toEventsCall } from './log.ts'
import { describeEvent, EVENT_TYPES } from './words.ts'

const NAMES = { limit: 1000, refreshMs: 0 }

/** The event log of a site, live. */
export function EventsPage({ siteId }: { siteId: string }): JSX.Element {
  const filter = {
    types: getQuery('type'),
    deviceUuid: getQuery('device'),
    spaceUuid: getQuery('space'),
  }
  const devices = useList<Device>(
    hasRole('Devices.Read') ? v2('GET', '/devices', { siteId }) : undefined,
    NAMES,
  )
  const spaces = useList<Space>(hasRole('Spaces.Read') ? v2('GET', '/spaces', { siteId }) : undefined, NAMES)
  const log = useLiveLog(siteId, filter)
  const timeZone = useSite(siteId)?.timeZone ?? 'UTC'
  const names = {
    devices: new Map(devices.data?.map(({ deviceUuid, deviceName }) => [deviceUuid, deviceName])),
    spaces: new Map(spaces.data?.map(({ spaceUuid, spaceName }) => [spaceUuid, spaceName])),
  }
  const types = EVENT_TYPES.filter((type) => type === 'inventory.changed' || hasRole('Devices.Read'))
  return (
    <Page title="Events" lead="Everything that happened on the site, in the order in which it was recorded.">
      <div class="filters" role="search" aria-label="Filter the events">
        <Select label="Type" name="type" options={types.map((type) => [type, type])} />
        <Select label="Device" name="device" options={toChoices(names.devices)} />
        <Select label="Space" name="space" options={toChoices(names.spaces)} />
      </div>
      <Panel title="Event log" calls={[toEventsCall(siteId, filter)]} actions={<LiveControl log={log} />}>
        <LogNotes log={log} />
        {log.events === undefined ? (
          log.error ? null : (
            <Skeleton rows={8} />
          )
        ) : log.events.length === 0 ? (
          <Empty title="No event matches">
            Events appear here as they happen: send a schedule to a device, for example, or wait for one to go
            offline.{' '}
            {log.loadMore && (
              <button type="button" class="button small" onClick={log.loadMore}>
                Look further back
              </button>
            )}
          </Empty>
        ) : (
          <DataTable
            caption="Events of the site, newest first"
            columns={toColumns(siteId, timeZone, names)}
            rows={log.events}
            toKey={({ eventUuid }) => eventUuid}
            detail={(event) => <CodeBlock code={JSON.stringify(event, null, 2)} />}
            loadMore={log.loadMore}
          />
        )}
      </Panel>
    </Page>
  )
}

const toChoices = (names: ReadonlyMap<string, string>): [string, string][] =>
  [...names].toSorted(([, a], [, b]) => a.localeCompare(b, 'en', { numeric: true }))

const STATUS: Readonly<Record<LiveStatus, { tone: Tone; name: string }>> = {
  loading: { tone: 'info', name: 'connecting' },
  live: { tone: 'good', name: 'live' },
  paused: { tone: 'neutral', name: 'paused' },
  idle: { tone: 'neutral', name: 'paused' },
  lost: { tone: 'warning', name: 'reconnecting' },
  failed: { tone: 'bad', name: 'stopped' },
}

function LiveControl({ log }: { log: LiveLog }): JSX.Element {
  const { tone, name } = STATUS[log.status]
  const isPaused = log.status === 'paused'
  return (
    <>
      <Badge tone={tone}>{name}</Badge>
      <button type="button" class="button small" onClick={isPaused ? log.resume : log.pause}>
        {isPaused ? 'Resume' : 'Pause'}
      </button>
    </>
  )
}

const ANNOUNCE_MS = 1_500

function LogNotes({ log }: { log: LiveLog }): JSX.Element {
  const { status, arrived, error, lostAt } = log
  const [announced, setAnnounced] = useState({ count: 0, text: '' })
  // A burst is announced once, with its number.
  useEffect(() => {
    if (arrived === announced.count) return
    const text = plural(arrived - announced.count, 'new event')
    const timer = setTimeout(() => setAnnounced({ count: arrived, text }), ANNOUNCE_MS)
    return () => clearTimeout(timer)
  }, [arrived])
  return (
    <>
      <p class="hidden" role="status">
        {announced.text}
      </p>
      {status === 'lost' && (
        <p class="note warning" role="status">
          The server cannot be reached. This is the state of <Moment at={lostAt} />.
        </p>
      )}
      {error && (status === 'failed' || log.events === undefined) && <ErrorNote error={error} />}
    </>
  )
}

interface Names {
  devices: ReadonlyMap<string, string>
  spaces: ReadonlyMap<string, string>
}

const toColumns = (siteId: string, timeZone: string, names: Names): readonly Column<Event>[] => [
  {
    header: 'Event',
    cell: (event) => {
      const { title, tone } = describeEvent(event, timeZone)
      return <Badge tone={tone}>{title}</Badge>
    },
  },
  {
    header: 'Device or space',
    cell: (event) => <Subject siteId={siteId} event={event} names={names} />,
  },
  { header: 'What', cell: (event) => describeEvent(event, timeZone).text, isMinor: true },
  {
    header: 'Time',
    cell: ({ timestamp }) => (
      <span class="nowrap" title={formatZoned(timestamp, timeZone)}>
        <Moment at={timestamp} />
      </span>
    ),
  },
  { header: 'Number', cell: ({ number }) => number, isNumber: true, isMinor: true },
]

function Subject({ siteId, event, names }: { siteId: string; event: Event; names: Names }): JSX.Element {
  const { deviceUuid, spaceUuid } = event
  if (deviceUuid !== null) {
    const known = 'deviceName' in event.data ? event.data.deviceName : undefined
    return (
      <a href={`/console/${siteId}/devices/${deviceUuid}`}>
        {names.devices.get(deviceUuid) ?? known ?? deviceUuid.slice(0, 8)}
      </a>
    )
  }
  if (spaceUuid !== null && hasRole('Spaces.Read'))
    return (
      <a href={`/console/${siteId}/spaces/${spaceUuid}`}>
        {names.spaces.get(spaceUuid) ?? spaceUuid.slice(0, 8)}
      </a>
    )
  return <span class="quiet">Site</span>
}
