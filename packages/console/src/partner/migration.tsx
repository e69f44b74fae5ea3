import { today as toToday, type IdMapEntry, type SiteRecord, type V1Usage } from '@portico/sdk'
import type { JSX } from 'preact'
import { type ApiCall, v2 } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { CallsCode } from '../components/call-code.tsx'
import { CopyButton } from '../components/code.tsx'
import { type Figure, Figures } from '../components/figures.tsx'
import { Field } from '../components/form.tsx'
import { Moment } from '../components/moment.tsx'
import { Panel, ResourcePanel } from '../components/panel.tsx'
import { Empty } from '../components/states.tsx'
import { type Column, DataTable } from '../components/table.tsx'
import { formatCount, formatDate, formatRelative, plural } from '../format.ts'
import { type ListBody, useCall } from '../resource.ts'
import { getQuery, setQuery } from '../route.ts'
import { AccountPage } from './account-page.tsx'
import {
  type Identifiers,
  isActive,
  type MigrationProgress,
  QUIET_DAYS,
  toProgress,
  toReplacement,
  toV1Path,
} from './v1-usage.ts'

const MAX_SPACES = 200

/** The version 1 endpoints that the partner still calls, and their replacements. */
export function Migration(): JSX.Element {
  return (
    <AccountPage
      title="Migration"
      lead="Your calls to version 1, and the requests of version 2 that replace them."
      document={{ href: '/docs/migration', name: 'Migration guide' }}
      emptyText="Calls to version 1 are counted once you have a site."
    >
      {(sites) => <Report sites={sites} />}
    </AccountPage>
  )
}

function Report({ sites }: { sites: readonly SiteRecord[] }): JSX.Element | null {
  const site = sites.find(({ siteUuid }) => siteUuid === getQuery('site')) ?? sites[0]
  const siteId = site?.siteUuid
  const usage = useCall<ListBody<V1Usage>>(
    siteId === undefined ? undefined : v2('GET', '/migration/usage', { siteId }),
  )
  if (!site) return null
  const data = usage.data?.data
  const progress = data && toProgress(data, Date.now())
  if (progress && progress.called.length === 0)
    return (
      <>
        <Panel title="Version 1" calls={[usage.call]}>
          <Empty title="You have never called version 1">
            There is nothing to migrate. Start with <a href="/console/try">version 2</a>.
          </Empty>
        </Panel>
        <Catalogue endpoints={progress.unused} title="What version 1 has" call={usage.call} />
      </>
    )
  return (
    <>
      {progress && <Figures figures={toFigures(progress)} />}
      <ResourcePanel
        title="Endpoints that you call"
        resource={usage}
        lead={`An endpoint counts as moved after ${QUIET_DAYS} days without a call. Calls are counted over all sites.`}
      >
        {({ data: rows }) => (
          <Called site={site} sites={sites} endpoints={toProgress(rows, Date.now()).called} />
        )}
      </ResourcePanel>
      {progress && (
        <Catalogue endpoints={progress.unused} title="Endpoints that you do not call" call={usage.call} />
      )}
    </>
  )
}

function toFigures({ called, active, movedShare = 0, lastSeenAt, nextSunset }: MigrationProgress): Figure[] {
  const moved = called.length - active.length
  return [
    {
      name: 'Moved',
      value: `${Math.floor(movedShare * 100)} %`,
      note: `${formatCount(moved)} of ${plural(called.length, 'endpoint')}`,
      tone: movedShare === 1 ? 'good' : 'neutral',
    },
    {
      name: 'Still called',
      value: formatCount(active.length),
      note: `in the last ${QUIET_DAYS} days`,
      tone: active.length > 0 ? 'warning' : 'good',
    },
    {
      name: 'Last call',
      value: lastSeenAt === undefined ? 'never' : formatRelative(Date.parse(lastSeenAt)),
      note: called[0]?.path,
    },
    {
      name: 'Next to end',
      value: nextSunset?.sunsetAt ? formatRelative(Date.parse(nextSunset.sunsetAt)) : 'No date',
      note: nextSunset?.path ?? 'no endpoint that you call has an end date',
      tone: nextSunset ? 'bad' : 'neutral',
    },
  ]
}

const STATES: Readonly<Record<string, string>> = {
  replaced: 'replaced by version 2',
  'awaiting-v2': 'stays until version 2 replaces it',
  retiring: 'ends without a replacement',
}

const describeState = (state: string): string => STATES[state] ?? state

function Sunset({ sunsetAt }: V1Usage): JSX.Element {
  if (sunsetAt === null) return <span class="quiet">no date</span>
  return Date.parse(sunsetAt) <= Date.now() ? (
    <Badge tone="bad">ended</Badge>
  ) : (
    <Badge tone="warning">
      <Moment at={sunsetAt} />
    </Badge>
  )
}

function Called(props: {
  site: SiteRecord
  sites: readonly SiteRecord[]
  endpoints: readonly V1Usage[]
}): JSX.Element {
  const { site, sites, endpoints } = props
  const siteId = site.siteUuid
  const map = useCall<ListBody<IdMapEntry>>(
    v2('GET', '/migration/id-map', { siteId, query: { type: 'space', limit: MAX_SPACES } }),
    { refreshMs: 0 },
  )
  const others = useCall<ListBody<IdMapEntry>>(
    v2('GET', '/migration/id-map', { siteId, query: { type: 'site,building', limit: MAX_SPACES } }),
    { refreshMs: 0 },
  )
  const spaces = map.data?.data ?? []
  const space = spaces.find(({ uuid }) => uuid === getQuery('space')) ?? spaces[0]
  const identifiers: Identifiers = {
    site: others.data?.data.find(({ type }) => type === 'site'),
    building: others.data?.data.find(({ type }) => type === 'building'),
    space,
  }
  const today = toToday(site.timeZone).from
  return (
    <>
      <form class="filters" aria-label="Identifiers" onSubmit={(event) => event.preventDefault()}>
        {sites.length > 1 && (
          <Field label="Requests for site">
            {(control) => (
              <select
                {...control}
                value={siteId}
                onChange={({ currentTarget }) => setQuery({ site: currentTarget.value, space: undefined })}
              >
                {sites.map(({ siteUuid, siteName }) => (
                  <option key={siteUuid} value={siteUuid}>
                    {siteName}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field label="Requests for space">
          {(control) => (
            <select
              {...control}
              value={space?.uuid ?? ''}
              onChange={({ currentTarget }) => setQuery({ space: currentTarget.value })}
            >
              {spaces.map(({ id, uuid, name }) => (
                <option key={uuid} value={uuid}>
                  {name} ({id})
                </option>
              ))}
            </select>
          )}
        </Field>
      </form>
      <DataTable
        caption="Endpoints of version 1 that you call"
        rows={endpoints}
        toKey={({ path }) => path}
        columns={COLUMNS}
        detail={(endpoint) => (
          <Before endpoint={endpoint} siteId={siteId} identifiers={identifiers} today={today} />
        )}
      />
    </>
  )
}

const COLUMNS: readonly Column<V1Usage>[] = [
  { header: 'Endpoint', cell: ({ path }) => <code>{path}</code> },
  {
    header: 'State',
    cell: (endpoint) =>
      isActive(endpoint, Date.now()) ? (
        <Badge tone={endpoint.state === 'awaiting-v2' ? 'neutral' : 'warning'}>in use</Badge>
      ) : (
        <Badge tone="good">moved</Badge>
      ),
  },
  { header: 'Calls', cell: ({ calls }) => formatCount(calls), isNumber: true, isMinor: true },
  { header: 'Last call', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} />, isMinor: true },
  { header: 'Ends', cell: (endpoint) => <Sunset {...endpoint} />, isMinor: true },
  {
    header: 'Version 2',
    cell: ({ state, replacement }) =>
      replacement === null ? <span class="quiet">{describeState(state)}</span> : <code>{replacement}</code>,
    isMinor: true,
  },
]

/** The request of version 1 and the one that replaces it, with the same identifiers. */
function Before(props: {
  endpoint: V1Usage
  siteId: string
  identifiers: Identifiers
  today: string
}): JSX.Element {
  const { endpoint, siteId, identifiers, today } = props
  const replacement = toReplacement(endpoint, identifiers, today)
  const before = `${endpoint.method} /v1${toV1Path(endpoint.path, identifiers)}`
  return (
    <div class="replacement">
      <p>
        <span class="quiet">{replacement ? 'Instead of' : 'You call'}</span> <code>{before}</code>
        {endpoint.sunsetAt !== null && (
          <span class="quiet"> (ends {formatDate(Date.parse(endpoint.sunsetAt))})</span>
        )}
      </p>
      {replacement ? (
        <>
          <p>
            <span class="quiet">send</span> <code>{`GET /v2${replacement.path}`}</code>{' '}
            <CopyButton text={`/v2${replacement.path}`} label="Copy the path" />
          </p>
          {replacement.note && <p class="quiet">{replacement.note}</p>}
          <CallsCode calls={[v2('GET', replacement.path, { siteId, query: replacement.query })]} />
        </>
      ) : (
        <p class="quiet">
          {endpoint.state === 'awaiting-v2'
            ? 'Nothing to do yet: it stays available until version 2 replaces it.'
            : 'There is no replacement: use another source for this data, or remove the call.'}
        </p>
      )}
    </div>
  )
}

interface CatalogueProps {
  endpoints: readonly V1Usage[]
  title: string
  /** The call that listed them. */
  call: ApiCall | undefined
}

function Catalogue({ endpoints, title, call }: CatalogueProps): JSX.Element {
  return (
    <Panel title={title} calls={[call]}>
      <details>
        <summary>{plural(endpoints.length, 'endpoint')}</summary>
        <DataTable
          caption={title}
          rows={endpoints}
          toKey={({ path }) => path}
          columns={[
            { header: 'Endpoint', cell: ({ path }) => <code>{path}</code> },
            { header: 'Future', cell: ({ state }) => describeState(state) },
            { header: 'Ends', cell: (endpoint) => <Sunset {...endpoint} />, isMinor: true },
          ]}
        />
      </details>
    </Panel>
  )
}
