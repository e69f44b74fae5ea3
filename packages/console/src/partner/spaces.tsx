import type {
  IdMapEntry,
  LatestValue,
  LatestValues,
  MetricType,
  Space,
  SpaceColumns,
  SpaceSeriesBatch,
} from '@portico/sdk'
import { today } from '@portico/sdk'
import type { JSX } from 'preact'
import { type ApiCall, v2 } from '../api.ts'
import { Sparkline } from '../charts/index.ts'
import { Field } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { ResourcePanel } from '../components/panel.tsx'
import { DataTable } from '../components/table.tsx'
import { formatFixed, plural, toColumnDigits, toMetricName, toWords } from '../format.ts'
import { type ListBody, useCall, useList } from '../resource.ts'
import { getQuery, setQuery } from '../route.ts'
import { Select, TextFilter } from './filter.tsx'
import { useSite } from './site.ts'
import { chunk, toSelection } from './space-selection.ts'
import { useCalls } from './use-calls.ts'

const SPACE_TYPES = ['bedroom', 'studio', 'livingKitchenDining', 'office', 'corridor', 'plant', 'other']
const CLIMATE = ['temperature', 'co2']

/** The spaces of a site with today's consumption and the current climate. */
export function Spaces({ siteId }: { siteId: string }): JSX.Element {
  const site = useSite(siteId)
  const metric = getQuery('metric') ?? 'electricity'
  const filters = {
    search: getQuery('search'),
    spaceType: getQuery('type'),
    buildingUuid: getQuery('building'),
    floorNumber: getQuery('floor'),
  }
  const spaces = useList<Space>(v2('GET', '/spaces', { siteId, query: filters }))
  const isWhole = spaces.loadMore === undefined
  const chunks = chunk(spaces.data ?? [])
  const timeZone = spaces.data?.[0]?.timeZone

  const toBatch = (part: readonly Space[]): ApiCall =>
    v2('GET', '/aggregate/hourly', {
      siteId,
      query: {
        metricTypes: [metric],
        fromDateTime: today(timeZone).from,
        ...toSelection(part, filters, isWhole && chunks.length === 1),
      },
    })
  const toLatest = (part: readonly Space[]): ApiCall =>
    v2('GET', '/latest', {
      siteId,
      query: { metricTypes: CLIMATE, ...toSelection(part, filters, isWhole && chunks.length === 1) },
    })
  const [firstChunk, ...laterChunks] = chunks
  const batch = useCall<SpaceSeriesBatch>(firstChunk && toBatch(firstChunk))
  const latest = useCall<ListBody<LatestValues>>(firstChunk && toLatest(firstChunk))
  const laterBatches = useCalls<SpaceSeriesBatch>(laterChunks.map(toBatch))
  const laterLatest = useCalls<ListBody<LatestValues>>(laterChunks.map(toLatest))

  const series = new Map(
    [batch.data, ...laterBatches].flatMap((answer) =>
      (answer?.series ?? []).map((columns) => [columns.spaceUuid, columns] as const),
    ),
  )
  const climate = new Map(
    [latest.data, ...laterLatest].flatMap((answer) =>
      (answer?.data ?? []).map((values) => [values.spaceUuid, values] as const),
    ),
  )
  const totalDigits = toColumnDigits([...series.values()].map(toTotal))
  const climateDigits = new Map(
    CLIMATE.map((name) => [
      name,
      toColumnDigits([...climate.values()].map((values) => findReading(values, name)?.value)),
    ]),
  )
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <Page
      title="Spaces"
      lead={site && `${site.siteName}: what each space uses today, and its climate now.`}
      crumbs={[{ href: '/console', name: 'Overview' }]}
    >
      <Filters siteId={siteId} metric={metric} />
      <ResourcePanel
        title={toTitle(spaces.data?.length, isWhole)}
        resource={spaces}
        calls={[batch.call, latest.call]}
        class="spaces"
        skeletonRows={10}
        empty={{
          when: (rows) => rows.length === 0,
          title: isFiltered ? 'No space matches the filters' : 'This site has no spaces yet',
          text: isFiltered ? (
            <button type="button" class="button" onClick={clearFilters}>
              Clear the filters
            </button>
          ) : (
            'Spaces come from the inventory, which the operator of this installation maintains.'
          ),
        }}
      >
        {(rows) => (
          <DataTable
            caption="Spaces"
            rows={rows}
            toKey={({ spaceUuid }) => spaceUuid}
            loadMore={spaces.loadMore}
            columns={[
              {
                header: 'Space',
                cell: ({ spaceUuid, spaceName }) => (
                  <a href={`/console/${siteId}/spaces/${spaceUuid}`}>{spaceName}</a>
                ),
              },
              { header: 'Type', cell: ({ spaceType }) => toWords(spaceType), isMinor: true },
              { header: 'Building', cell: ({ buildingName }) => buildingName, isMinor: true },
              {
                header: 'Floor',
                cell: ({ floorNumber }) => floorNumber ?? '–',
                isNumber: true,
                isMinor: true,
              },
              {
                header: `${toMetricName(metric)} today`,
                cell: (space) => <Curve space={space} metric={metric} series={series.get(space.spaceUuid)} />,
              },
              {
                header: series.values().next().value?.aggregation === 'sum' ? 'Total' : 'Mean',
                cell: ({ spaceUuid }) => <Summary series={series.get(spaceUuid)} digits={totalDigits} />,
                isNumber: true,
              },
              ...CLIMATE.map((name) => ({
                header: toMetricName(name),
                cell: ({ spaceUuid }: Space) => (
                  <Reading
                    reading={findReading(climate.get(spaceUuid), name)}
                    digits={climateDigits.get(name) ?? 1}
                  />
                ),
                isNumber: true,
                isMinor: true,
              })),
            ]}
          />
        )}
      </ResourcePanel>
    </Page>
  )
}

const toTitle = (count: number | undefined, isWhole: boolean): string =>
  count === undefined ? 'Spaces' : isWhole ? plural(count, 'space') : `The first ${plural(count, 'space')}`

const clearFilters = (): void =>
  setQuery({ search: undefined, type: undefined, building: undefined, floor: undefined })

function Curve({
  space,
  metric,
  series,
}: {
  space: Space
  metric: string
  series: SpaceColumns | undefined
}): JSX.Element {
  if (!series) return <span class="quiet">{space.metricTypes.includes(metric) ? '' : 'not measured'}</span>
  return series.hasData ? <Sparkline series={series} /> : <span class="quiet">no data</span>
}

const toTotal = ({ summary }: SpaceColumns): number | null | undefined => summary.total ?? summary.mean

function Summary({ series, digits }: { series: SpaceColumns | undefined; digits: number }): JSX.Element {
  return <>{series ? formatFixed(toTotal(series), digits, series.unit) : '–'}</>
}

const findReading = (values: LatestValues | undefined, metric: string): LatestValue | undefined =>
  values?.environment.find(({ metricType }) => metricType === metric)

/** The current value of a climate metric; one that is older than two hours is marked. */
function Reading({ reading, digits }: { reading: LatestValue | undefined; digits: number }): JSX.Element {
  if (!reading) return <>–</>
  const text = formatFixed(reading.value, digits, reading.unit)
  if (!reading.stale) return <>{text}</>
  return (
    <span class="quiet" title={`Of ${reading.timestamp ?? 'an unknown time'}`}>
      <span class="mark">old</span> {text}
    </span>
  )
}

function Filters({ siteId, metric }: { siteId: string; metric: string }): JSX.Element {
  const buildings = useCall<ListBody<IdMapEntry>>(
    v2('GET', '/migration/id-map', { siteId, query: { type: 'building' } }),
    { refreshMs: 0 },
  )
  const metrics = useCall<ListBody<MetricType>>(v2('GET', '/metric-types', { siteId }), { refreshMs: 0 })
  return (
    <form class="filters" role="search" aria-label="Spaces" onSubmit={(event) => event.preventDefault()}>
      <TextFilter label="Name" name="search" />
      <Select
        label="Type"
        name="type"
        all="All types"
        options={SPACE_TYPES.map((type) => [type, toWords(type)])}
      />
      <Select
        label="Building"
        name="building"
        all="All buildings"
        options={(buildings.data?.data ?? []).map(({ uuid, name }) => [uuid, name])}
      />
      <Field label="Floor">
        {(props) => (
          <input
            {...props}
            type="number"
            class="short"
            min={-99}
            max={999}
            step={1}
            placeholder="All"
            value={getQuery('floor') ?? ''}
            onChange={({ currentTarget }) =>
              setQuery({ floor: currentTarget.validity.valid ? currentTarget.value : undefined })
            }
          />
        )}
      </Field>
      <Field label="Metric">
        {(props) => (
          <select
            {...props}
            value={metric}
            onChange={({ currentTarget: { value } }) =>
              setQuery({ metric: value === 'electricity' ? undefined : value })
            }
          >
            {(metrics.data?.data ?? [{ metricType: metric, aggregation: 'sum' }])
              .filter(({ aggregation }) => aggregation !== 'score')
              .map(({ metricType }) => (
                <option key={metricType} value={metricType}>
                  {toMetricName(metricType)}
                </option>
              ))}
          </select>
        )}
      </Field>
    </form>
  )
}
