import type { JSX } from 'preact'
import { operator } from '../api.ts'
import { CommandBadge } from '../components/badge.tsx'
import { DateFilter, Filters, SelectFilter } from '../components/filters.tsx'
import { Moment } from '../components/moment.tsx'
import { Page } from '../components/page.tsx'
import { ResourcePanel } from '../components/panel.tsx'
import { RecordView } from '../components/record.tsx'
import { DataTable } from '../components/table.tsx'
import { toWords } from '../format.ts'
import { useList } from '../resource.ts'
import { getQuery } from '../route.ts'
import { toPartnerPage, toSitePage, usePartners, useSites } from './names.ts'
import type { ListedCommand } from '@portico/sdk/operator'

const STATES = ['PENDING', 'SENT', 'DELIVERED', 'CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const

export function CommandsPage(): JSX.Element {
  const sites = useSites()
  const since = getQuery('from')
  const partners = usePartners()
  const commands = useList<ListedCommand>(
    operator('GET', '/commands', {
      query: {
        siteUuid: getQuery('site'),
        state: getQuery('state'),
        partnerUuid: getQuery('partner'),
        from: since === undefined ? undefined : `${since}T00:00:00.000Z`,
      },
    }),
  )
  return (
    <Page
      title="Commands"
      lead="Commands that partners have sent to devices, and their results, newest first."
    >
      <Filters>
        <SelectFilter
          label="State"
          name="state"
          options={STATES.map((state) => ({ value: state, name: toWords(state) }))}
        />
        <SelectFilter
          label="Site"
          name="site"
          options={(sites.data ?? []).map(({ siteUuid, siteName }) => ({ value: siteUuid, name: siteName }))}
        />
        <SelectFilter
          label="Partner"
          name="partner"
          options={(partners.data ?? []).map(({ partnerUuid, name }) => ({ value: partnerUuid, name }))}
        />
        <DateFilter label="Since (UTC)" name="from" />
      </Filters>
      <ResourcePanel
        title="Commands of all partners"
        lead={since === undefined ? 'Of the last 7 days.' : undefined}
        resource={commands}
        empty={{
          when: (rows) => rows.length === 0,
          title: 'No command matches',
          text: 'Partners with the role Devices.Control send commands.',
        }}
      >
        {(rows) => (
          <DataTable
            caption="Commands"
            rows={rows}
            toKey={({ commandUuid }) => commandUuid}
            loadMore={commands.loadMore}
            detail={(command) => <RecordView record={command} />}
            columns={[
              { header: 'Accepted', cell: ({ createdAt }) => <Moment at={createdAt} /> },
              {
                header: 'State',
                cell: ({ state, failureReason }) => (
                  <>
                    <CommandBadge status={state} />
                    {failureReason && <span class="quiet"> {failureReason.message}</span>}
                  </>
                ),
              },
              { header: 'Device', cell: ({ deviceName, deviceUuid }) => deviceName ?? deviceUuid },
              { header: 'Type', cell: ({ type }) => toWords(type), isMinor: true },
              {
                header: 'Site',
                cell: ({ siteUuid, siteName }) => <a href={toSitePage(siteUuid)}>{siteName ?? siteUuid}</a>,
                isMinor: true,
              },
              {
                header: 'Partner',
                cell: ({ partnerUuid, partnerName }) => (
                  <a href={toPartnerPage(partnerUuid)}>{partnerName ?? partnerUuid}</a>
                ),
                isMinor: true,
              },
            ]}
          />
        )}
      </ResourcePanel>
    </Page>
  )
}
