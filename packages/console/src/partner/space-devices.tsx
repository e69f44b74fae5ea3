import type { Device, SpaceOverview } from '@portico/sdk'
import type { JSX } from 'preact'
import { v2 } from '../api.ts'
import { Badge, StatusBadge } from '../components/badge.tsx'
import { Panel, ResourcePanel } from '../components/panel.tsx'
import { Moment } from '../components/moment.tsx'
import { DataTable } from '../components/table.tsx'
import { formatValue, toWords } from '../format.ts'
import { useList } from '../resource.ts'
import { hasRole } from '../session.ts'

interface Props {
  siteId: string
  space: SpaceOverview
}

/** The devices of a space: their records, or what the overview has of them without the role for devices. */
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
        text: 'No device is placed in this space. What it uses may be measured by its flat.',
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
            { header: 'Type', cell: ({ deviceType }) => toWords(deviceType), isMinor: true },
            {
              header: 'Status',
              cell: ({ status, warnings }) => (
                <span class="with-badge">
                  <StatusBadge status={status} />
                  {warnings
                    .filter(({ code }) => code !== 'offline')
                    .map(({ code, message }) => (
                      <span key={code} title={message}>
                        <Badge tone="warning">{toWords(code)}</Badge>
                      </span>
                    ))}
                </span>
              ),
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

function DeviceTypes({ space: { devices } }: Props): JSX.Element {
  return (
    <Panel title="Devices" lead="Names and details need the role Devices.Read.">
      <DataTable
        caption="Devices"
        rows={devices}
        toKey={({ deviceUuid }) => deviceUuid}
        columns={[
          { header: 'Type', cell: ({ deviceType }) => toWords(deviceType) },
          { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
        ]}
      />
    </Panel>
  )
}
