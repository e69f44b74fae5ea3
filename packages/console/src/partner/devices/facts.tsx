import type { Device } from '@portico/sdk'
import type { ComponentChildren, JSX } from 'preact'
import { Badge, StatusBadge } from '../../components/badge.tsx'
import { Moment } from '../../components/moment.tsx'
import { ResourcePanel } from '../../components/panel.tsx'
import { toDeviceTypeName, toMetricName } from '../../format.ts'
import type { Resource } from '../../resource.ts'
import { hasRole } from '../../session.ts'
import { formatZonedDate } from '../site-time.ts'
import { BatteryLevel } from './battery.tsx'
import { toWarningName } from './filter.ts'
import { toSentence } from './words.ts'

/** The facts about a device. */
export function FactsPanel({
  siteId,
  resource,
  timeZone,
}: {
  siteId: string
  resource: Resource<Device>
  timeZone: string
}): JSX.Element {
  return (
    <ResourcePanel title="Device" resource={resource}>
      {(device) => (
        <dl class="facts">
          {toFacts(siteId, device, timeZone).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </ResourcePanel>
  )
}

function toFacts(siteId: string, device: Device, timeZone: string): [string, ComponentChildren][] {
  const { manufacturer, model, serialNumber, firmwareVersion, installedAt, submeterOf } = device
  const product = [manufacturer, model].filter((part) => part !== null).join(' ')
  const facts: [string, ComponentChildren | null][] = [
    ['Status', <StatusBadge status={device.status} />],
    ['Last seen', <Moment at={device.lastSeenAt} />],
    ['Battery', device.batteryPercent === null ? null : <BatteryLevel percent={device.batteryPercent} />],
    ['Type', toDeviceTypeName(device.deviceType)],
    [
      'Space',
      hasRole('Spaces.Read') ? (
        <a href={`/console/${siteId}/spaces/${device.spaceUuid}`}>{device.spaceName}</a>
      ) : (
        device.spaceName
      ),
    ],
    ['Measures', device.metricTypes.map(toMetricName).join(', ')],
    ['Product', product],
    ['Serial number', serialNumber],
    ['Firmware', firmwareVersion],
    ['Installed', installedAt === null ? null : formatZonedDate(installedAt, timeZone)],
    [
      'Sub-meter of',
      submeterOf === null ? null : <a href={`/console/${siteId}/devices/${submeterOf}`}>another device</a>,
    ],
    ['Identifier', <code>{device.deviceUuid}</code>],
  ]
  return facts.filter((fact): fact is [string, ComponentChildren] => fact[1] !== null && fact[1] !== '')
}

/** The warnings of a device, shown above everything else. */
export function Warnings({ warnings }: Pick<Device, 'warnings'>): JSX.Element | null {
  if (warnings.length === 0) return null
  return (
    <ul class="note warning warnings" aria-label="Warnings">
      {warnings.map(({ code, message, since }) => (
        <li key={code}>
          <Badge tone="warning">{toWarningName(code)}</Badge> {toSentence(message)}{' '}
          <span>
            Since <Moment at={since} />.
          </span>
        </li>
      ))}
    </ul>
  )
}
