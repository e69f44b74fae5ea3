import type { JSX } from 'preact'
import type { OperatorWebhook, Partner } from '@portico/sdk/operator'
import { operator } from '../api.ts'
import { Badge, type Tone } from '../components/badge.tsx'
import { ConfirmButton } from '../components/confirm.tsx'
import { Filters, SelectFilter, TextFilter } from '../components/filters.tsx'
import { Moment } from '../components/moment.tsx'
import { useNotice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { ResourcePanel } from '../components/panel.tsx'
import { RecordView } from '../components/record.tsx'
import { DataTable } from '../components/table.tsx'
import { formatCount } from '../format.ts'
import { useCall } from '../resource.ts'
import { getQuery } from '../route.ts'
import { findPartnerName, toPartnerPage, usePartners } from './names.ts'

const STATES = ['failing', 'enabled', 'paused', 'disabled'] as const

/** The state in one word: an enabled webhook whose endpoint accepts nothing is failing. */
const toState = ({ state, failingSince }: OperatorWebhook): string =>
  state === 'enabled' && failingSince !== null ? 'failing' : state

export function WebhooksPage(): JSX.Element {
  const webhooks = useCall<{ data: OperatorWebhook[] }>(operator('GET', '/webhooks'))
  const partners = usePartners()
  const { notice, say } = useNotice()
  const search = (getQuery('search') ?? '').toLowerCase()
  const state = getQuery('state')
  const isShown = (webhook: OperatorWebhook): boolean =>
    (state === undefined || toState(webhook) === state) &&
    [webhook.url, webhook.description ?? '', findPartnerName(partners.data, webhook.partnerUuid)].some(
      (text) => text.toLowerCase().includes(search),
    )
  return (
    <Page title="Webhooks" lead="The addresses to which partners have events sent, and whether they arrive.">
      {notice}
      <Filters>
        <TextFilter label="Address or partner" name="search" />
        <SelectFilter label="State" name="state" options={STATES.map((value) => ({ value, name: value }))} />
      </Filters>
      <ResourcePanel
        title="Webhooks of all partners"
        resource={webhooks}
        empty={{
          when: ({ data }) => !data.some(isShown),
          title: 'No webhook',
          text: 'Partners with the role Webhooks.Manage add webhooks themselves.',
        }}
      >
        {({ data }) => (
          <WebhookTable
            webhooks={data.filter(isShown)}
            partners={partners.data ?? []}
            onChanged={(text) => {
              say(text)
              webhooks.reload()
            }}
          />
        )}
      </ResourcePanel>
    </Page>
  )
}

interface WebhookTableProps {
  webhooks: readonly OperatorWebhook[]
  /** To name the partner of each webhook. */
  partners?: readonly Partner[]
  onChanged: (text: string) => void
}

export function WebhookTable({ webhooks, partners, onChanged }: WebhookTableProps): JSX.Element {
  return (
    <DataTable
      caption="Webhooks"
      rows={webhooks}
      toKey={({ webhookUuid }) => webhookUuid}
      detail={(webhook) => <RecordView record={webhook} />}
      columns={[
        { header: 'Address', cell: ({ url }) => <span class="url">{url}</span> },
        ...(partners
          ? [
              {
                header: 'Partner',
                cell: ({ partnerUuid }: OperatorWebhook) => (
                  <a href={toPartnerPage(partnerUuid)}>{findPartnerName(partners, partnerUuid)}</a>
                ),
              },
            ]
          : []),
        { header: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
        {
          header: 'Last delivered',
          cell: ({ lastDeliveredAt }) => <Moment at={lastDeliveredAt} />,
          isMinor: true,
        },
        { header: 'Waiting', cell: ({ waiting }) => formatCount(waiting), isNumber: true },
        { header: 'Lost', cell: ({ lost }) => formatCount(lost), isNumber: true, isMinor: true },
        {
          header: 'Change',
          isNumber: true,
          cell: (webhook) => <StateButton webhook={webhook} onChanged={onChanged} />,
        },
      ]}
    />
  )
}

const TONES: Readonly<Record<string, Tone>> = {
  enabled: 'good',
  failing: 'bad',
  disabled: 'bad',
  paused: 'neutral',
}

function WebhookState({ webhook }: { webhook: OperatorWebhook }): JSX.Element {
  const state = toState(webhook)
  return (
    <>
      <Badge tone={TONES[state] ?? 'neutral'}>{state}</Badge>
      {state === 'failing' && (
        <span class="quiet">
          {' '}
          since <Moment at={webhook.failingSince} />
        </span>
      )}
      {webhook.reason && <span class="quiet"> {REASONS[webhook.reason] ?? webhook.reason}</span>}
    </>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  failing: 'failed for five days',
  gone: 'answered 410',
  operator: 'by an operator',
}

function StateButton({
  webhook,
  onChanged,
}: {
  webhook: OperatorWebhook
  onChanged: (text: string) => void
}): JSX.Element {
  const { webhookUuid, url, state } = webhook
  const toCall = (next: 'enabled' | 'disabled') =>
    operator('PATCH', `/webhooks/${webhookUuid}`, { body: { state: next } })
  if (state === 'disabled')
    return (
      <ConfirmButton<OperatorWebhook>
        label="Enable"
        subject={url}
        title="Enable this webhook?"
        confirm="Enable the webhook"
        isSmall
        call={toCall('enabled')}
        onAnswer={() => onChanged('The webhook is enabled.')}
      >
        <p>Deliveries continue where they stopped: events that are still in the log are sent.</p>
      </ConfirmButton>
    )
  return (
    <ConfirmButton<OperatorWebhook>
      label="Disable"
      subject={url}
      title="Disable this webhook?"
      confirm="Disable the webhook"
      isSmall
      isDanger
      call={toCall('disabled')}
      onAnswer={() => onChanged('The webhook is disabled.')}
    >
      <p>
        Nothing is sent to {url} until you enable it again. Its events wait in the log; those that are removed
        from the log before are lost.
      </p>
    </ConfirmButton>
  )
}
