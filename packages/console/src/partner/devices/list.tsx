import type { Device, Space } from '@portico/sdk'
import type { JSX } from 'preact'
import { v2 } from '../../api.ts'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { ResourcePanel } from '../../components/panel.tsx'
import { type Column, DataTable } from '../../components/table.tsx'
import { formatCount, plural, toDeviceTypeName, toWords } from '../../format.ts'
import { useList } from '../../resource.ts'
import { getQuery, setQuery } from '../../route.ts'
import { hasRole } from '../../session.ts'
import { DeviceStatus } from './status.tsx'
import { Select, TextFilter } from '../filter.tsx'
import { BatteryLevel } from './battery.tsx'
import { matchesDevice, toWarningName, WARNINGS } from './filter.ts'

const MOST_ROWS = 1000

const TYPES = [
  'airConditioner',
  'electricityMeter',
  'gasMeter',
  'heatMeter',
  'heater',
  'hotWaterCylinder',
  'multiSensor',
  'occupancySensor',
  'smartPlug',
  'solarInverter',
  'thermostat',
  'trv',
  'waterMeter',
]

/** The devices of a site. */
export function DevicesPage({ siteId }: { siteId: string }): JSX.Element {
  const [status, deviceType, spaceUuid] = ['status', 'type', 'space'].map(getQuery)
  const filter = {
    name: getQuery('q'),
    isControllable: getQuery('controllable'),
    warning: getQuery('warnings'),
  }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const devices = useList<Device>(
    v2('GET', '/devices', { siteId, query: { status, deviceType, spaceUuid } }),
    // What the API cannot filter by is searched for in as many devices as one request can have.
    isFiltered ? { limit: MOST_ROWS } : {},
  )
  const spaces = useList<Space>(hasRole('Spaces.Read') ? v2('GET', '/spaces', { siteId }) : undefined, {
    limit: 1000,
    refreshMs: 0,
  })
  const spaceNames = toSpaceChoices(spaces.data ?? [], devices.data ?? [])
  return (
    <Page title="Devices" lead="Meters, sensors, valves and other devices of the site.">
      <div class="filters many" role="search" aria-label="Filter the devices">
        <TextFilter label="Name" name="q" />
        <Select
          label="Status"
          name="status"
          options={['online', 'offline', 'unknown'].map((value) => [value, toWords(value)])}
        />
        <Select label="Type" name="type" options={TYPES.map((value) => [value, toDeviceTypeName(value)])} />
        <Select label="Space" name="space" options={spaceNames} />
        <Select
          label="Control"
          name="controllable"
          options={[
            ['yes', 'Accepts commands'],
            ['no', 'Measures only'],
          ]}
        />
        <Select
          label="Warnings"
          name="warnings"
          options={[
            ['any', 'Any warning'],
            ...WARNINGS.map((code): [string, string] => [code, toWarningName(code)]),
          ]}
        />
      </div>
      <ResourcePanel
        title="Devices"
        resource={devices}
        skeletonRows={8}
        empty={{
          when: (rows) => rows.length === 0,
          title: 'No device matches',
          text: 'Change the filters above, or ask the operator whether devices were added to this site.',
        }}
      >
        {(rows) => {
          const shown = rows.filter((device) => matchesDevice(device, filter))
          return (
            <>
              <p class="quiet">{summarise(rows, shown, isFiltered, devices.loadMore !== undefined)}</p>
              {shown.length === 0 ? (
                <p>
                  None of them matches.{' '}
                  <button
                    type="button"
                    class="button small"
                    onClick={() => setQuery({ q: undefined, controllable: undefined, warnings: undefined })}
                  >
                    Clear the filters
                  </button>
                </p>
              ) : null}
              <DataTable
                caption="Devices of the site"
                columns={toColumns(siteId)}
                rows={shown}
                toKey={({ deviceUuid }) => deviceUuid}
                loadMore={devices.loadMore}
              />
            </>
          )
        }}
      </ResourcePanel>
    </Page>
  )
}

/** "230 devices: 218 online, 12 offline; 14 with warnings". */
function summarise(
  rows: readonly Device[],
  shown: readonly Device[],
  isFiltered: boolean,
  hasMore: boolean,
): string {
  const count = (status: string): number => shown.filter((device) => device.status === status).length
  const parts = ['online', 'offline', 'unknown']
    .filter((status) => count(status) > 0)
    .map((status) => `${formatCount(count(status))} ${status}`)
  const warned = shown.filter(({ warnings }) => warnings.length > 0).length
  const all = isFiltered
    ? `${formatCount(shown.length)} of ${plural(rows.length, 'device')}`
    : plural(rows.length, 'device')
  return [
    `${all}${hasMore ? ' loaded so far' : ''}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`,
    ...(warned > 0 ? [`${formatCount(warned)} with warnings`] : []),
  ].join('; ')
}

/** Names of all spaces, or those of the devices if the partner may not read spaces. */
function toSpaceChoices(
  spaces: readonly { spaceUuid: string; spaceName: string }[],
  devices: readonly { spaceUuid: string; spaceName: string }[],
): [string, string][] {
  const all = new Map([...devices, ...spaces].map(({ spaceUuid, spaceName }) => [spaceUuid, spaceName]))
  return [...all].toSorted(([, a], [, b]) => a.localeCompare(b, 'en', { numeric: true }))
}

const toColumns = (siteId: string): readonly Column<Device>[] => [
  {
    header: 'Device',
    cell: ({ deviceUuid, deviceName }) => (
      <a href={`/console/${siteId}/devices/${deviceUuid}`}>{deviceName}</a>
    ),
  },
  { header: 'Status', cell: (device) => <DeviceStatus device={device} /> },
  {
    header: 'Type',
    cell: ({ deviceType }) => <span class="nowrap">{toDeviceTypeName(deviceType)}</span>,
    isMinor: true,
  },
  {
    header: 'Space',
    cell: ({ spaceUuid, spaceName }) =>
      hasRole('Spaces.Read') ? <a href={`/console/${siteId}/spaces/${spaceUuid}`}>{spaceName}</a> : spaceName,
    isMinor: true,
  },
  {
    header: 'Battery',
    cell: ({ batteryPercent }) => <BatteryLevel percent={batteryPercent} />,
    isNumber: true,
    isMinor: true,
  },
  {
    header: 'Last seen',
    cell: ({ lastSeenAt }) => (
      <span class="nowrap">
        <Moment at={lastSeenAt} />
      </span>
    ),
    isMinor: true,
  },
]
