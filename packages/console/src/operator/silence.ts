import type { OperatorDevice } from '@portico/sdk/operator'

/** A series that receives no readings. */
export interface SilentSeries {
  deviceUuid: string
  deviceName: string
  spaceName: string
  metricType: string
  /** Null if it has never had a reading. */
  lastReadingAt: string | null
}

/** The series of some devices without a reading for a time, longest first; those without any reading come first. */
export function toSilentSeries(
  devices: readonly OperatorDevice[],
  forMinutes: number,
  now: number,
): SilentSeries[] {
  const before = now - forMinutes * 60_000
  const toTime = ({ lastReadingAt }: SilentSeries): number =>
    lastReadingAt === null ? 0 : Date.parse(lastReadingAt)
  return devices
    .flatMap(({ deviceUuid, deviceName, spaceName, metricTypes, latestReadings }) =>
      metricTypes.map((metricType) => ({
        deviceUuid,
        deviceName,
        spaceName,
        metricType,
        lastReadingAt: latestReadings.find((reading) => reading.metricType === metricType)?.timestamp ?? null,
      })),
    )
    .filter((series) => toTime(series) <= before)
    .toSorted((a, b) => toTime(a) - toTime(b) || a.deviceName.localeCompare(b.deviceName, 'en'))
}
