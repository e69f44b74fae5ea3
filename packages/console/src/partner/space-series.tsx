import type { SpaceOverview, SpaceSeries, SpaceSeriesBatch } from '@portico/sdk'
import type { JSX } from 'preact'
import { type ApiCall, type QueryValue, v2 } from '../api.ts'
import {
  Bars,
  type ChartSeries,
  columnsToChartSeries,
  HeatMap,
  Lines,
  readToChartSeries,
} from '../charts/index.ts'
import { Panel, ResourceContent, ResourcePanel } from '../components/panel.tsx'
import { Empty } from '../components/states.tsx'
import { toMetricName } from '../format.ts'
import { type Resource, useCall } from '../resource.ts'
import { getQuery, setQuery } from '../route.ts'
import { DownloadCsv, toFileName } from './download.tsx'
import { getRange } from './range-chooser.tsx'
import { addDays, toPreviousRange, toSeriesRange } from './range.ts'
import { isUtility, toScope } from './space-scope.ts'

interface Props {
  siteId: string
  space: SpaceOverview
  /** The date at the site. */
  today: string
}

/** The most metrics of a batch read. */
const MAX_METRICS = 8
const HEAT_MAP_DAYS = 365

/** A batch read over the range of the page, and one over the range before it. */
function useSeries(
  { siteId, today }: Props,
  metricTypes: readonly string[],
  selection: Record<string, QueryValue>,
): { current: Resource<SpaceSeriesBatch>; previous: Resource<SpaceSeriesBatch> } {
  const range = getRange()
  const toCall = ({ granularity, query }: ReturnType<typeof toSeriesRange>): ApiCall =>
    v2('GET', `/aggregate/${granularity}`, { siteId, query: { metricTypes, ...selection, ...query } })
  const current = useCall<SpaceSeriesBatch>(
    metricTypes.length === 0 ? undefined : toCall(toSeriesRange(range, today)),
  )
  const before = isPreviousShown() ? toPreviousRange(range, today, current.data) : undefined
  const previous = useCall<SpaceSeriesBatch>(
    metricTypes.length === 0 || !before ? undefined : toCall(before),
    { refreshMs: 0 },
  )
  return { current, previous }
}

const isPreviousShown = (): boolean => getQuery('previous') !== 'off'

/** Pairs each series with that of the period before. */
function pairSeries(
  current: SpaceSeriesBatch,
  previous: SpaceSeriesBatch | undefined,
): { series: ChartSeries; before: ChartSeries | undefined }[] {
  return current.series.map((columns) => {
    const found = previous?.series.find(({ metricType }) => metricType === columns.metricType)
    return {
      series: columnsToChartSeries(current, columns),
      before: previous && found?.hasData ? columnsToChartSeries(previous, found) : undefined,
    }
  })
}

/** Consumption as bars, one chart for each utility. */
export function ConsumptionPanel(props: Props): JSX.Element {
  const { siteId, space } = props
  const scope = toScope(space, getQuery('scope'))
  const metrics =
    scope === 'cluster' ? space.utilities.map(({ metricType }) => metricType) : ownUtilities(space)
  const { current, previous } = useSeries(
    props,
    metrics,
    scope === 'cluster'
      ? { groupBy: 'cluster', clusterUuid: space.clusterUuid ?? undefined }
      : { spaceUuids: [space.spaceUuid] },
  )
  const actions = (
    <>
      {space.clusterUuid !== null && <ScopeChoice space={space} scope={scope} />}
      <PreviousChoice />
    </>
  )
  if (metrics.length === 0)
    return (
      <Panel title="Consumption" actions={actions}>
        <Empty title="No utility is measured in this space">
          {space.clusterUuid === null
            ? 'Its consumption may be part of a meter elsewhere in the building.'
            : 'Choose the flat to see the consumption of all of its spaces.'}
        </Empty>
      </Panel>
    )
  return (
    <ResourcePanel
      title={scope === 'cluster' ? `Consumption of ${space.clusterName ?? 'the cluster'}` : 'Consumption'}
      resource={current}
      calls={[previous.call]}
      actions={actions}
      skeletonRows={8}
    >
      {(batch) => (
        <div class="charts">
          {pairSeries(batch, previous.data).map(({ series, before }) => (
            <div class="chart-block" key={series.metricType}>
              <Bars title={toMetricName(series.metricType)} series={series} previous={before} height={180} />
              <Csv siteId={siteId} space={space} series={series} batch={batch} scope={scope} />
            </div>
          ))}
        </div>
      )}
    </ResourcePanel>
  )
}

const ownUtilities = ({ metricTypes }: SpaceOverview): string[] => metricTypes.filter(isUtility)

/** Climate as lines with a band from the lowest to the highest reading. */
export function ClimatePanel(props: Props): JSX.Element | null {
  const { siteId, space } = props
  const metrics = space.metricTypes.filter((metric) => !isUtility(metric)).slice(0, MAX_METRICS)
  const { current, previous } = useSeries(props, metrics, { spaceUuids: [space.spaceUuid] })
  if (metrics.length === 0) return null
  return (
    <ResourcePanel title="Climate" resource={current} calls={[previous.call]} skeletonRows={8}>
      {(batch) => (
        <div class="charts">
          {pairSeries(batch, previous.data).map(({ series, before }) => (
            <div class="chart-block" key={series.metricType}>
              <Lines title={toMetricName(series.metricType)} series={series} previous={before} height={180} />
              <Csv siteId={siteId} space={space} series={series} batch={batch} scope="space" />
            </div>
          ))}
        </div>
      )}
    </ResourcePanel>
  )
}

/** A year of daily consumption as a calendar. */
export function YearPanel({ siteId, space, today }: Props): JSX.Element | null {
  const scope = toScope(space, getQuery('scope'))
  const metrics =
    scope === 'cluster' ? space.utilities.map(({ metricType }) => metricType) : ownUtilities(space)
  const metric = metrics.includes('electricity') ? 'electricity' : metrics[0]
  const year = useCall<SpaceSeries>(
    metric === undefined
      ? undefined
      : v2('GET', `/spaces/${space.spaceUuid}/aggregate/${metric}/daily`, {
          siteId,
          query: {
            fromDateTime: addDays(today, 1 - HEAT_MAP_DAYS),
            toDateTime: addDays(today, 1),
            ...(scope === 'cluster' ? { scope } : {}),
          },
        }),
  )
  if (metric === undefined) return null
  return (
    <Panel title="A year by day" calls={[year.call]}>
      <ResourceContent resource={year} skeletonRows={5}>
        {(series) => <HeatMap title={toMetricName(metric)} series={readToChartSeries(series)} />}
      </ResourceContent>
    </Panel>
  )
}

/** The windows of a chart, as the CSV of a single read. */
function Csv(props: {
  siteId: string
  space: SpaceOverview
  series: ChartSeries
  batch: SpaceSeriesBatch
  scope: 'space' | 'cluster'
}): JSX.Element {
  const { siteId, space, series, batch, scope } = props
  const { granularity, interval, fromDateTime, toDateTime } = batch
  const { metricType } = series
  const call = v2('GET', `/spaces/${space.spaceUuid}/aggregate/${metricType}/${granularity}`, {
    siteId,
    query: { interval, fromDateTime, toDateTime, ...(scope === 'cluster' ? { scope } : {}) },
  })
  const name = scope === 'cluster' ? (space.clusterName ?? space.spaceName) : space.spaceName
  const fileName = toFileName(name, metricType, fromDateTime.slice(0, 10), toDateTime.slice(0, 10))
  return <DownloadCsv call={call} fileName={fileName} subject={toMetricName(metricType)} />
}

function ScopeChoice({ space, scope }: { space: SpaceOverview; scope: string }): JSX.Element {
  const options = [
    { value: 'space', name: 'This space' },
    { value: 'cluster', name: space.clusterName ?? 'Its cluster' },
  ]
  return (
    <fieldset class="choice">
      <legend class="hidden">Consumption of</legend>
      {options.map(({ value, name }) => (
        <label key={value}>
          <input
            type="radio"
            name="scope"
            checked={scope === value}
            onChange={() => setQuery({ scope: value })}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}

function PreviousChoice(): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isPreviousShown()}
        onChange={({ currentTarget }) => setQuery({ previous: currentTarget.checked ? undefined : 'off' })}
      />
      Period before
    </label>
  )
}
