import type { Device, DeviceReadings, DeviceSeriesBatch, Reading } from '@portico/sdk'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiCall, v2 } from '../../api.ts'
import { Bars, columnsToChartSeries, Lines } from '../../charts/index.ts'
import { Moment } from '../../components/moment.tsx'
import { ResourcePanel } from '../../components/panel.tsx'
import { formatValue, toMetricName } from '../../format.ts'
import { type Resource, useCall } from '../../resource.ts'
import { toLastDay } from '../range.ts'

/** Metrics that one batch read may have. */
const MAX_METRICS = 8
const RECENT_MS = 6 * 3_600_000
const CHART_PX = 150

/** The hours of the last day, for every metric of a device. */
export function useDeviceHours(siteId: string, device: Device | undefined): Resource<DeviceSeriesBatch> {
  const metricTypes = device?.metricTypes.slice(0, MAX_METRICS) ?? []
  return useCall<DeviceSeriesBatch>(
    device && metricTypes.length > 0
      ? v2('GET', '/consumption/hourly', {
          siteId,
          query: { metricTypes, deviceUuids: [device.deviceUuid], ...toLastDay() },
        })
      : undefined,
  )
}

/** The metrics of a device: latest readings, and the last 24 hours. */
export function MetricsPanel({
  siteId,
  device,
  hours,
}: {
  siteId: string
  device: Device
  hours: Resource<DeviceSeriesBatch>
}): JSX.Element {
  const [since] = useState(() => new Date(Date.now() - RECENT_MS).toISOString())
  const toCall = (metric: string): ApiCall =>
    v2('GET', `/devices/${device.deviceUuid}/consumption/${metric}`, {
      siteId,
      query: { interval: 'raw', fromDateTime: since, limit: 1000 },
    })
  return (
    <ResourcePanel
      title="Measurements"
      resource={hours}
      calls={device.metricTypes.slice(0, MAX_METRICS).map(toCall)}
      lead="The latest reading of each metric, and the last 24 hours."
      empty={{
        when: ({ series }) => series.length === 0,
        title: 'No measurements',
        text: 'The device measures nothing that the API reports.',
      }}
    >
      {(batch) => (
        <div class="metrics">
          {batch.series.map((columns) => {
            const name = toMetricName(columns.metricType)
            const series = columnsToChartSeries(batch, columns)
            const ChartOf = columns.aggregation === 'sum' ? Bars : Lines
            return (
              <div key={columns.metricType} class="metric">
                <LatestReading call={toCall(columns.metricType)} version={JSON.stringify(columns.summary)} />
                {columns.hasData ? (
                  <ChartOf title={name} series={series} height={CHART_PX} />
                ) : (
                  <p class="quiet">{name}: no data in the last 24 hours.</p>
                )}
              </div>
            )
          })}
        </div>
      )}
    </ResourcePanel>
  )
}

/** Requested again only when the hours have changed, so that an idle page sends no further requests. */
function LatestReading({ call, version }: { call: ApiCall; version: string }): JSX.Element {
  const readings = useCall<DeviceReadings>(call, { refreshMs: 0 })
  const asked = useRef(version)
  useEffect(() => {
    if (asked.current !== version) readings.reload()
    asked.current = version
  }, [version])
  const latest: Reading | undefined = readings.data?.timeSeries.at(-1)
  return (
    <p class="latest">
      <span class="quiet">Latest</span>
      <span class="figure">{latest ? formatValue(latest.value, readings.data?.unit) : '–'}</span>
      <span class="quiet">
        {readings.error && !readings.data ? (
          'not available'
        ) : latest ? (
          <Moment at={latest.timestamp} />
        ) : (
          readings.data && 'no reading in the last 6 hours'
        )}
      </span>
    </p>
  )
}
