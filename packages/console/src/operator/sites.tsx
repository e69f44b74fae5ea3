import type { JSX } from 'preact'
import { operator } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { Filters, TextFilter } from '../components/filters.tsx'
import { Moment } from '../components/moment.tsx'
import { Page } from '../components/page.tsx'
import { ResourcePanel } from '../components/panel.tsx'
import { DataTable } from '../components/table.tsx'
import { formatCount } from '../format.ts'
import { useList } from '../resource.ts'
import { getQuery } from '../route.ts'
import { toSitePage } from './names.ts'
import { PresenceBar } from './presence.tsx'
import type { OperatorSite } from '@portico/sdk/operator'

export function SitesPage(): JSX.Element {
  const search = getQuery('search')
  const sites = useList<OperatorSite>(operator('GET', '/sites', { query: { search } }))
  return (
    <Page
      title="Sites"
      lead="What is installed where, and whether it reports."
      actions={
        <a class="button primary" href="/console/operator/sites/new">
          Add a site
        </a>
      }
    >
      <Filters>
        <TextFilter label="Name or SiteId" name="search" />
      </Filters>
      <ResourcePanel
        title={search === undefined ? 'All sites' : 'Matching sites'}
        resource={sites}
        empty={{
          when: (rows) => rows.length === 0,
          title: search === undefined ? 'There is no site yet' : 'No site matches',
          text: search === undefined && (
            <>
              A site is described by one JSON document.{' '}
              <a href="/console/operator/sites/new">Upload an inventory</a> to add one.
            </>
          ),
        }}
      >
        {(rows) => (
          <DataTable
            caption="Sites"
            rows={rows}
            toKey={({ siteUuid }) => siteUuid}
            loadMore={sites.loadMore}
            isStacked
            columns={[
              {
                header: 'Site',
                cell: ({ siteUuid, siteName, sandbox }) => (
                  <>
                    <a href={toSitePage(siteUuid)}>{siteName}</a> {sandbox && <Badge>sandbox</Badge>}
                  </>
                ),
              },
              { header: 'Devices', cell: ({ devices }) => <PresenceBar presence={devices} /> },
              {
                header: 'Newest reading',
                cell: ({ newestReadingAt }) => <Moment at={newestReadingAt} never="none yet" />,
              },
              {
                header: 'Buildings',
                cell: ({ buildings }) => formatCount(buildings),
                isNumber: true,
                isMinor: true,
              },
              { header: 'Spaces', cell: ({ spaces }) => formatCount(spaces), isNumber: true, isMinor: true },
              {
                header: 'Gateways',
                cell: ({ gateways }) => formatCount(gateways),
                isNumber: true,
                isMinor: true,
              },
              {
                header: 'Time zone',
                cell: ({ timeZone }) => <span class="quiet">{timeZone}</span>,
                isMinor: true,
              },
            ]}
          />
        )}
      </ResourcePanel>
    </Page>
  )
}
