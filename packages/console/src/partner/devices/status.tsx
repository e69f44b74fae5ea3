import type { Device } from '@portico/sdk'
import type { JSX } from 'preact'
import { Badge, StatusBadge } from '../../components/badge.tsx'
import { toWarningName } from './filter.ts'

/** The status of a device, with its warnings beside it. */
export function DeviceStatus({ device }: { device: Pick<Device, 'status' | 'warnings'> }): JSX.Element {
  return (
    <span class="badges">
      <StatusBadge status={device.status} />
      {device.warnings
        .filter(({ code }) => code !== 'offline')
        .map(({ code, message }) => (
          <span key={code} title={message}>
            <Badge tone="warning">{toWarningName(code)}</Badge>
          </span>
        ))}
    </span>
  )
}
