import type { MetricName } from '../../metric/catalogue.ts'

/** As many as a batch read accepts. */
const MAX_METRICS = 8

const DAY_MS = 86_400_000

/** The date of a local day, as `YYYY-MM-DD`. */
export const toDateText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** The calls that read the values of some days: as a batch read, and as an export. */
export function toLinks(
  { from, end }: { from: number; end: number },
  metrics: readonly MetricName[],
  spaceUuid?: string,
): { daily: string; windows: string } {
  const range = `fromDateTime=${toDateText(from)}&toDateTime=${toDateText(end)}`
  const space = spaceUuid === undefined ? '' : `&spaceUuids=${spaceUuid}`
  const metricTypes = `metricTypes=${metrics.slice(0, MAX_METRICS).join(',')}`
  return {
    daily: `/v2/aggregate/daily?${metricTypes}${space}&${range}`,
    windows: `/v2/export/windows?interval=PT1H${metrics.length > MAX_METRICS ? '' : `&${metricTypes}`}${space}&${range}`,
  }
}
