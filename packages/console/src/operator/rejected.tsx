import type { JSX } from 'preact'
import type { RejectedMessage } from '@portico/sdk/operator'
import { operator } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { Filters, SelectFilter, TextFilter } from '../components/filters.tsx'
import { Moment } from '../components/moment.tsx'
import { Page } from '../components/page.tsx'
import { ResourcePanel } from '../components/panel.tsx'
import { RecordView } from '../components/record.tsx'
import { DataTable } from '../components/table.tsx'
import { useList } from '../resource.ts'
import { getQuery } from '../route.ts'
import { useOptions } from './options.ts'

/** The reasons that are most frequent. */
const REASONS = ['not-json', 'bad-message', 'unknown-device', 'unknown-topic', 'forbidden-topic']

export function RejectedPage(): JSX.Element {
  const reason = getQuery('reason')
  const search = getQuery('search')
  const messages = useList<RejectedMessage>(operator('GET', '/rejected', { query: { reason, search } }))
  const isFiltered = reason !== undefined || search !== undefined
  const reasons = useOptions(
    (messages.data ?? []).map((message) => message.reason),
    REASONS,
  )
  return (
    <Page
      title="Rejected messages"
      lead="MQTT messages that were not accepted, newest first. The newest 10,000 are kept."
    >
      <Filters>
        <SelectFilter label="Reason" name="reason" options={reasons} />
        <TextFilter label="Topic or content" name="search" />
      </Filters>
      <ResourcePanel
        title="Messages"
        resource={messages}
        empty={{
          when: (rows) => rows.length === 0,
          title: isFiltered ? 'No message matches' : 'No message was rejected',
          text: isFiltered
            ? 'Change the filters.'
            : 'Messages that are not JSON, or name an unknown device, would be listed here.',
        }}
      >
        {(rows) => (
          <DataTable
            caption="Rejected messages"
            rows={rows}
            toKey={(message) => `${message.at} ${message.topic} ${message.payload}`}
            loadMore={messages.loadMore}
            detail={(message) => <RecordView record={message} />}
            columns={[
              { header: 'Arrived', cell: ({ at }) => <Moment at={at} /> },
              { header: 'Reason', cell: (message) => <Badge tone="warning">{message.reason}</Badge> },
              { header: 'What is wrong', cell: ({ message }) => message },
              { header: 'Topic', cell: ({ topic }) => <code>{topic}</code>, isMinor: true },
            ]}
          />
        )}
      </ResourcePanel>
    </Page>
  )
}
