import type { Account, AddedWebhook, Webhook, WebhookPage } from '@portico/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { send, v2 } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { OpenDialog } from '../../components/dialog.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { ResourcePanel } from '../../components/panel.tsx'
import { type Column, DataTable } from '../../components/table.tsx'
import { formatCount } from '../../format.ts'
import { useCall } from '../../resource.ts'
import { navigate } from '../../route.ts'
import { ACCOUNT } from '../site.ts'
import { EMPTY_DRAFT, toNewWebhook } from './draft.ts'
import { WebhookForm } from './form.tsx'
import { SecretOnce } from './secret.tsx'
import { describeSites, describeTypes, describeWebhook } from './words.ts'

/** The webhooks of the partner. */
export function WebhooksPage(): JSX.Element {
  const webhooks = useCall<WebhookPage>(v2('GET', '/webhooks'))
  const account = useCall<Account>(ACCOUNT, { refreshMs: 0 })
  const [isAdding, setAdding] = useState(false)
  const [added, setAdded] = useState<AddedWebhook>()
  const finish = (): void => {
    setAdded(undefined)
    if (added) navigate(`/console/webhooks/${added.webhookUuid}`)
  }
  return (
    <Page
      title="Webhooks"
      lead="Your addresses to which events are sent as they happen."
      actions={
        <button type="button" class="button primary" onClick={() => setAdding(true)}>
          Add a webhook
        </button>
      }
    >
      <ResourcePanel
        title="Webhooks"
        resource={webhooks}
        empty={{
          when: ({ data }) => data.length === 0,
          title: 'No webhook yet',
          text: (
            <>
              Add one to be notified when a command changes its state or a device goes offline, instead of
              polling. <a href="/docs/webhooks">How webhooks work</a>
            </>
          ),
        }}
      >
        {({ data }) => (
          <DataTable
            caption="Your webhooks"
            columns={COLUMNS}
            rows={data}
            toKey={({ webhookUuid }) => webhookUuid}
          />
        )}
      </ResourcePanel>
      {isAdding && (
        <OpenDialog title="Add a webhook" onClose={() => setAdding(false)}>
          <WebhookForm
            first={EMPTY_DRAFT}
            sites={account.data?.sites ?? []}
            submitName="Add the webhook"
            toCall={(draft) => v2('POST', '/webhooks', { body: toNewWebhook(draft) })}
            onSubmit={async (call) => {
              const { data } = await send<AddedWebhook>(call)
              setAdding(false)
              setAdded(data)
              webhooks.reload()
            }}
          />
        </OpenDialog>
      )}
      {added && (
        <OpenDialog title="The secret of the webhook" onClose={finish} isKeptOpen>
          <SecretOnce secret={added.secret} onDone={finish} />
        </OpenDialog>
      )}
    </Page>
  )
}

const COLUMNS: readonly Column<Webhook>[] = [
  {
    header: 'Address',
    cell: ({ webhookUuid, url, description }) => (
      <>
        <a class="address" href={`/console/webhooks/${webhookUuid}`}>
          {url}
        </a>
        {description && <span class="quiet"> {description}</span>}
      </>
    ),
  },
  {
    header: 'State',
    cell: (webhook) => {
      const { name, tone } = describeWebhook(webhook)
      return <Badge tone={tone}>{name}</Badge>
    },
  },
  { header: 'Events', cell: describeTypes, isMinor: true },
  { header: 'Sites', cell: describeSites, isMinor: true },
  { header: 'Waiting', cell: ({ waiting }) => formatCount(waiting), isNumber: true, isMinor: true },
  {
    header: 'Last delivery',
    cell: ({ lastDeliveredAt }) => <Moment at={lastDeliveredAt} />,
    isMinor: true,
  },
]
