import type { Device, SpaceOverview } from '@portico/sdk'
import type { JSX } from 'preact'
import { type ApiCall, v2 } from '../api.ts'
import { StatusBadge } from '../components/badge.tsx'
import { Panel, ResourcePanel } from '../components/panel.tsx'
import { Moment } from '../components/moment.tsx'
import { DataTable } from '../components/table.tsx'
import { formatValue, toDeviceTypeName } from '../format.ts'
import { useList } from '../resource.ts'
import { hasRole } from '../session.ts'
import { DeviceStatus } from './devices/status.tsx'

interface Props {
  siteId: string
  space: SpaceOverview
  /** The call that read the overview of the space. */
  call: ApiCall | undefined
}

/** The devices of a space: their records or, without the role for devices, their entries in the overview. */
export const SpaceDevices = (props: Props): JSX.Element =>
  hasRole('Devices.Read') ? <DeviceRecords {...props} /> : <DeviceTypes {...props} />

function DeviceRecords({ siteId, space: { spaceUuid } }: Props): JSX.Element {
  const devices = useList<Device>(v2('GET', '/devices', { siteId, query: { spaceUuid } }))
  return (
    <ResourcePanel
      title="Devices"
      resource={devices}
      empty={{
        when: (rows) => rows.length === 0,
        title: 'No devices',
        text: 'No device is placed in this space. Its consumption may be measured by the meters of its flat.',
      }}
    >
      {(rows) => (
        <DataTable
          caption="Devices"
          rows={rows}
          toKey={({ deviceUuid }) => deviceUuid}
          loadMore={devices.loadMore}
          columns={[
            {
              header: 'Device',
              cell: ({ deviceUuid, deviceName }) => (
                <a href={`/console/${siteId}/devices/${deviceUuid}`}>{deviceName}</a>
              ),
            },
            { header: 'Type', cell: ({ deviceType }) => toDeviceTypeName(deviceType), isMinor: true },
            {
              header: 'Status',
              cell: (device) => <DeviceStatus device={device} />,
            },
            {
              header: 'Battery',
              cell: ({ batteryPercent }) => formatValue(batteryPercent, '%'),
              isNumber: true,
              isMinor: true,
            },
            { header: 'Last seen', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} />, isMinor: true },
          ]}
        />
      )}
    </ResourcePanel>
  )
}

function DeviceTypes({ space: { devices }, call }: Props): JSX.Element {
  return (
    <Panel title="Devices" lead="Names and details need the role Devices.Read." calls={[call]}>
      <DataTable
        caption="Devices"
        rows={devices}
        toKey={({ deviceUuid }) => deviceUuid}
        columns={[
          { header: 'Type', cell: ({ deviceType }) => toDeviceTypeName(deviceType) },
          { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
        ]}
      />
    </Panel>
  )
}
