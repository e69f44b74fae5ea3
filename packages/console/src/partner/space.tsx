import { today as toToday, type SpaceOverview } from '@portico/sdk'
import type { JSX } from 'preact'
import { type ApiCall, v2 } from '../api.ts'
import { CopyButton, Identifier } from '../components/code.tsx'
import { type Figure, Figures } from '../components/figures.tsx'
import { Page } from '../components/page.tsx'
import { Panel, ResourceContent } from '../components/panel.tsx'
import { ShowCall } from '../components/show-call.tsx'
import { formatSiteTime, formatValue, plural, toMetricName, toWords } from '../format.ts'
import { useCall } from '../resource.ts'
import { RangeChooser } from './range-chooser.tsx'
import { useSite } from './site.ts'
import { SpaceDevices } from './space-devices.tsx'
import { ClimatePanel, ConsumptionPanel, YearPanel } from './space-series.tsx'

/** One space: its consumption, its climate, its devices. */
export function SpacePage({ siteId, spaceId }: { siteId: string; spaceId: string }): JSX.Element {
  const site = useSite(siteId)
  const overview = useCall<SpaceOverview>(
    v2('GET', `/spaces/${encodeURIComponent(spaceId)}/overview`, { siteId }),
  )
  const space = overview.data
  return (
    <Page
      title={space?.spaceName ?? 'Space'}
      lead={space && describePlace(space)}
      crumbs={[
        { href: '/console', name: 'Overview' },
        { href: `/console/${siteId}/spaces`, name: site ? `Spaces of ${site.siteName}` : 'Spaces' },
      ]}
      actions={overview.call && <ShowCall calls={[overview.call]} subject="Overview" />}
    >
      <ResourceContent resource={overview} skeletonRows={8}>
        {(data) => <SpaceContent siteId={siteId} space={data} call={overview.call} />}
      </ResourceContent>
    </Page>
  )
}

interface OverviewProps {
  space: SpaceOverview
  /** The call that read it. */
  call: ApiCall | undefined
}

function SpaceContent({ siteId, space, call }: OverviewProps & { siteId: string }): JSX.Element {
  const today = toToday(space.timeZone).from
  const figures = [...toUtilityFigures(space), ...toClimateFigures(space)]
  return (
    <>
      {figures.length > 0 && <Figures figures={figures} />}
      <RangeChooser today={today} />
      <ConsumptionPanel siteId={siteId} space={space} today={today} />
      <ClimatePanel siteId={siteId} space={space} today={today} />
      <YearPanel siteId={siteId} space={space} today={today} />
      <div class="main-and-side">
        <SpaceDevices siteId={siteId} space={space} call={call} />
        <Facts space={space} call={call} />
      </div>
    </>
  )
}

function describePlace({ spaceType, buildingName, floorNumber, clusterName }: SpaceOverview): string {
  const floor = floorNumber === null ? [] : [floorNumber === 0 ? 'ground floor' : `floor ${floorNumber}`]
  const cluster = clusterName === null ? [] : [clusterName]
  return [toWords(spaceType), buildingName, ...floor, ...cluster].join(' · ')
}

function toUtilityFigures({ utilities, consumptionScope, clusterName }: SpaceOverview): Figure[] {
  const owner = consumptionScope === 'cluster' ? ` of ${clusterName ?? 'the cluster'}` : ''
  return utilities.map(({ metricType, unit, today, yesterday, monthToDate }) => ({
    name: `${toMetricName(metricType)} today${owner}`,
    value: formatValue(today, unit),
    note: `${formatValue(yesterday, unit)} yesterday, ${formatValue(monthToDate, unit)} this month`,
  }))
}

const toClimateFigures = ({ environment }: SpaceOverview): Figure[] =>
  environment.map(({ metricType, unit, value, timestamp, stale }) => ({
    name: toMetricName(metricType),
    value: formatValue(value, unit),
    note: timestamp === null ? 'no reading yet' : `${stale ? 'old: ' : ''}${formatSiteTime(timestamp)}`,
    tone: stale ? 'warning' : 'neutral',
  }))

function Facts({ space, call }: OverviewProps): JSX.Element {
  const { spaceUuid, areaM2, capacity, occupancy, timeZone, metricTypes, clusterName } = space
  return (
    <Panel title="About this space" calls={[call]}>
      <dl class="facts">
        <dt>Type</dt>
        <dd>{toWords(space.spaceType)}</dd>
        <dt>Building</dt>
        <dd>{space.buildingName}</dd>
        <dt>Floor</dt>
        <dd>{space.floorNumber ?? 'unknown'}</dd>
        {clusterName !== null && (
          <>
            <dt>Cluster</dt>
            <dd>{clusterName}</dd>
          </>
        )}
        <dt>Area</dt>
        <dd>{areaM2 === null ? 'unknown' : formatValue(areaM2, 'm²')}</dd>
        <dt>Capacity</dt>
        <dd>{capacity === null ? 'unknown' : plural(capacity, 'person', 'people')}</dd>
        {occupancy !== null && (
          <>
            <dt>Present now</dt>
            <dd>{plural(occupancy, 'person', 'people')}</dd>
          </>
        )}
        <dt>Measures</dt>
        <dd>{metricTypes.map(toMetricName).join(', ') || 'nothing'}</dd>
        <dt>Time zone</dt>
        <dd>{timeZone}</dd>
        <dt>Identifier</dt>
        <dd class="with-badge">
          <Identifier value={spaceUuid} />
          <CopyButton text={spaceUuid} />
        </dd>
      </dl>
    </Panel>
  )
}
