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
import { useOptions } from './options.ts'

const ACTIONS = [
  'console.link-added',
  'console.signed-in',
  'console.signed-out',
  'gateway.added',
  'gateway.removed',
  'inventory.applied',
  'key.rotated',
  'partner.added',
  'partner.changed',
  'readings.imported',
  'secret.added',
  'secret.removed',
  'v1.lifecycle-changed',
  'webhook.disabled',
]

export function AuditPage(): JSX.Element {
  const query = { action: getQuery('action'), actor: getQuery('actor'), search: getQuery('search') }
  const entries = useList<AuditEntry>(operator('GET', '/audit', { query }))
  const loaded = entries.data ?? []
  const actions = useOptions(
    loaded.map(({ action }) => action),
    ACTIONS,
  )
  const actors = useOptions(loaded.map(({ actor }) => actor.name))
  return (
    <Page title="Audit log" lead="Every change, who made it and when, newest first.">
      <Filters>
        <SelectFilter label="Action" name="action" options={actions} />
        <SelectFilter label="Made by" name="actor" options={actors} />
        <TextFilter label="Anywhere in the entry" name="search" />
      </Filters>
      <ResourcePanel
        title="Entries"
        resource={entries}
        empty={{
          when: (rows) => rows.length === 0,
          title: 'No entry matches',
          text: 'Change the filters.',
        }}
      >
        {(rows) => (
          <DataTable
            caption="Audit log"
            rows={rows}
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

/** The changed record, with a link to its page if it has one. */
function Target({ entry: { action, target } }: { entry: AuditEntry }): JSX.Element {
  const toPage = action.startsWith('partner.')
    ? toPartnerPage
    : action === 'inventory.applied'
      ? toSitePage
      : undefined
  const text = <code>{target}</code>
  return toPage ? <a href={toPage(target)}>{text}</a> : text
}
