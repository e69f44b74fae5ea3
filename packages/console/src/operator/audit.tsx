import type { JSX } from 'preact'
import type { AuditEntry } from '@portico/sdk/operator'
import { operator } from '../api.ts'
import { Filters, SelectFilter, TextFilter } from '../components/filters.tsx'
import { Moment } from '../components/moment.tsx'
import { Page } from '../components/page.tsx'
import { ResourcePanel } from '../components/panel.tsx'
import { RecordView } from '../components/record.tsx'
import { DataTable } from '../components/table.tsx'
import { useList } from '../resource.ts'
import { getQuery } from '../route.ts'
import { toPartnerPage, toSitePage } from './names.ts'
import { toOptions } from './options.ts'

export function AuditPage(): JSX.Element {
  const entries = useList<AuditEntry>(operator('GET', '/audit'))
  const action = getQuery('action')
  const actor = getQuery('actor')
  const search = (getQuery('search') ?? '').toLowerCase()
  const isShown = (entry: AuditEntry): boolean =>
    (action === undefined || entry.action === action) &&
    (actor === undefined || entry.actor.name === actor) &&
    (search === '' || JSON.stringify(entry).toLowerCase().includes(search))
  const rows = entries.data ?? []
  return (
    <Page title="Audit log" lead="Every change, who made it and when, newest first.">
      <Filters>
        <SelectFilter label="Action" name="action" options={toOptions(rows.map((entry) => entry.action))} />
        <SelectFilter
          label="Made by"
          name="actor"
          options={toOptions(rows.map((entry) => entry.actor.name))}
        />
        <TextFilter label="Anywhere in the entry" name="search" />
      </Filters>
      <ResourcePanel
        title="Entries"
        resource={entries}
        lead={
          entries.loadMore && 'The filters apply to the entries that are loaded; “More” loads older ones.'
        }
        empty={{ when: () => !rows.some(isShown), title: 'No entry matches', text: 'Change the filters.' }}
      >
        {(all) => (
          <DataTable
            caption="Audit log"
            rows={all.filter(isShown)}
            toKey={({ id }) => String(id)}
            loadMore={entries.loadMore}
            detail={(entry) => <RecordView record={entry} />}
            columns={[
              { header: 'When', cell: ({ at }) => <Moment at={at} /> },
              { header: 'Action', cell: (entry) => <code>{entry.action}</code> },
              {
                header: 'Made by',
                cell: (entry) =>
                  entry.actor.kind === 'partner' && entry.actor.id !== null ? (
                    <a href={toPartnerPage(entry.actor.id)}>{entry.actor.name}</a>
                  ) : (
                    <>
                      {entry.actor.name} <span class="quiet">({entry.actor.kind})</span>
                    </>
                  ),
              },
              { header: 'On', cell: (entry) => <Target entry={entry} />, isMinor: true },
            ]}
          />
        )}
      </ResourcePanel>
    </Page>
  )
}

/** What was changed, with a link to its page if it has one. */
function Target({ entry: { action, target } }: { entry: AuditEntry }): JSX.Element {
  const toPage = action.startsWith('partner.')
    ? toPartnerPage
    : action === 'inventory.applied'
      ? toSitePage
      : undefined
  const text = <code>{target}</code>
  return toPage ? <a href={toPage(target)}>{text}</a> : text
}
