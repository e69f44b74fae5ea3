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
import { toOptions } from './options.ts'

export function RejectedPage(): JSX.Element {
  const messages = useList<RejectedMessage>(operator('GET', '/rejected'))
  const reason = getQuery('reason')
  const search = (getQuery('search') ?? '').toLowerCase()
  const isShown = (message: RejectedMessage): boolean =>
    (reason === undefined || message.reason === reason) &&
    [message.topic, message.message, message.payload].some((text) => text.toLowerCase().includes(search))
  return (
    <Page
      title="Rejected messages"
      lead="MQTT messages that were not accepted, newest first. The newest 10,000 are kept."
    >
      <Filters>
        <SelectFilter
          label="Reason"
          name="reason"
          options={toOptions((messages.data ?? []).map((message) => message.reason))}
        />
        <TextFilter label="Topic or content" name="search" />
      </Filters>
      <ResourcePanel
        title="Messages"
        resource={messages}
        lead={
          messages.loadMore && 'The filters apply to the messages that are loaded; “More” loads older ones.'
        }
        empty={{
          when: (rows) => rows.length === 0,
          title: 'No message was rejected',
          text: 'Messages that are not JSON, or name an unknown device, would be listed here.',
        }}
      >
        {(rows) => (
          <DataTable
            caption="Rejected messages"
            rows={rows.filter(isShown)}
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
