import type { SiteRecord, WebhookDelivery, WebhookDeliveryWithAttempts } from '@portico/sdk'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { send, v2 } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Moment } from '../../components/moment.tsx'
import { ResourceContent, ResourcePanel } from '../../components/panel.tsx'
import { ShowCall } from '../../components/show-call.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { type Column, DataTable } from '../../components/table.tsx'
import { toWords } from '../../format.ts'
import { useAction, useCall, useList } from '../../resource.ts'
import { getQuery } from '../../route.ts'
import { EVENT_TYPES } from '../events/words.ts'
import { Select } from '../filter.tsx'
import { ReceiverResponse } from './test.tsx'
import { describeFailure, toDeliveryTone } from './words.ts'

interface DeliveriesPanelProps {
  path: string
  sites: readonly SiteRecord[]
  /** Changes when there may be new deliveries. */
  round: number
  onChanged: () => void
}

const REFRESH_MS = 60_000

/** The deliveries of a webhook, newest first, with their attempts. */
export function DeliveriesPanel({ path, sites, round, onChanged }: DeliveriesPanelProps): JSX.Element {
  const query = { state: getQuery('state'), type: getQuery('type') }
  const deliveries = useList<WebhookDelivery>(v2('GET', `${path}/deliveries`, { query }), {
    refreshMs: REFRESH_MS,
  })
  useEffect(() => {
    if (round > 0) deliveries.reload()
  }, [round])
  return (
    <ResourcePanel
      title="Deliveries"
      resource={deliveries}
      actions={
        <button type="button" class="button small" onClick={onChanged}>
          Refresh
        </button>
      }
    >
      {(rows) => (
        <>
          <div class="filters" role="search" aria-label="Filter the deliveries">
            <Select
              label="State"
              name="state"
              options={['waiting', 'delivered', 'failed'].map((state) => [state, toWords(state)])}
            />
            <Select label="Type" name="type" options={EVENT_TYPES.map((type) => [type, type])} />
          </div>
          {rows.length === 0 ? (
            <p class="quiet">
              No delivery matches. Every event that is sent to this webhook appears here, with each attempt.
            </p>
          ) : (
            <DataTable
              caption="Deliveries of the webhook, newest first"
              columns={toColumns(sites)}
              rows={rows}
              toKey={({ eventUuid }) => eventUuid}
              detail={(delivery) => <DeliveryDetail path={path} delivery={delivery} onChanged={onChanged} />}
              loadMore={deliveries.loadMore}
            />
          )}
        </>
      )}
    </ResourcePanel>
  )
}

const toColumns = (sites: readonly SiteRecord[]): readonly Column<WebhookDelivery>[] => [
  { header: 'Event', cell: ({ type }) => type },
  {
    header: 'State',
    cell: (delivery) => <Badge tone={toDeliveryTone(delivery)}>{delivery.state}</Badge>,
  },
  {
    header: 'Site',
    cell: ({ siteUuid }) => sites.find((site) => site.siteUuid === siteUuid)?.siteName ?? siteUuid,
    isMinor: true,
  },
  { header: 'Number', cell: ({ number }) => number, isNumber: true, isMinor: true },
  { header: 'Tries', cell: ({ tries }) => tries, isNumber: true, isMinor: true },
  {
    header: 'Last response',
    cell: ({ lastStatus, lastError }) =>
      lastStatus !== null ? `Status ${lastStatus}` : lastError !== null ? describeFailure(lastError) : '–',
    isMinor: true,
  },
  {
    header: 'When',
    cell: (delivery) => <DeliveryTime {...delivery} />,
  },
]

function DeliveryTime({ deliveredAt, nextTryAt }: WebhookDelivery): JSX.Element {
  if (nextTryAt === null) return <Moment at={deliveredAt} never="–" />
  // Due, but delayed by earlier events or a failing endpoint.
  if (Date.parse(nextTryAt) <= Date.now()) return <span class="quiet">in the queue</span>
  return (
    <span class="nowrap">
      next try <Moment at={nextTryAt} />
    </span>
  )
}

interface DeliveryDetailProps {
  path: string
  delivery: WebhookDelivery
  onChanged: () => void
}

function DeliveryDetail({ path, delivery, onChanged }: DeliveryDetailProps): JSX.Element {
  const { eventUuid, siteUuid, number } = delivery
  const call = v2('GET', `${path}/deliveries/${eventUuid}`)
  const detail = useCall<WebhookDeliveryWithAttempts>(call)
  const replay = v2('POST', `${path}/replay`, {
    body: { siteUuid, fromNumber: number, toNumber: number },
  })
  const action = useAction(async () => {
    await send(replay)
    detail.reload()
    onChanged()
  })
  return (
    <div class="stack wide">
      <ResourceContent resource={detail} skeletonRows={2}>
        {({ attempts }) =>
          attempts.length === 0 ? (
            <p class="quiet">No request has been sent yet.</p>
          ) : (
            <ol class="attempts">
              {attempts.map(({ at, status, error, durationMs, response }, index) => (
                <li key={index}>
                  <p>
                    <Badge tone={error === null ? 'good' : 'bad'}>
                      {status === null ? 'no response' : `status ${status}`}
                    </Badge>{' '}
                    <Moment at={at} />, {Math.round(durationMs)} ms
                    {error !== null && `. ${describeFailure(error)}`}
                  </p>
                  {response !== null && <ReceiverResponse text={response} />}
                </li>
              ))}
            </ol>
          )
        }
      </ResourceContent>
      {action.error && <ErrorNote error={action.error} />}
      <div class="actions">
        <button
          type="button"
          class="button small"
          disabled={action.isRunning}
          onClick={() => void action.run()}
        >
          Send it again
        </button>
        <ShowCall calls={[call, replay]} subject={`Delivery of event ${number}`} />
      </div>
    </div>
  )
}
