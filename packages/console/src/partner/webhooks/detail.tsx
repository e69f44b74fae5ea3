import type { Account, AddedWebhookSecret, Webhook } from '@portico/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type ApiCall, send, v2 } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { OpenDialog } from '../../components/dialog.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { ResourcePanel } from '../../components/panel.tsx'
import { ShowCall } from '../../components/show-call.tsx'
import { ErrorNote, Skeleton } from '../../components/states.tsx'
import { formatCount, formatMoment, plural } from '../../format.ts'
import { useAction, useCall } from '../../resource.ts'
import { navigate } from '../../route.ts'
import { ACCOUNT } from '../site.ts'
import { DeliveriesPanel } from './deliveries.tsx'
import { toChanges, toDraft } from './draft.ts'
import { WebhookForm } from './form.tsx'
import { ReplayPanel } from './replay.tsx'
import { SecretOnce } from './secret.tsx'
import { TestPanel } from './test.tsx'
import { describeTypes, describeWebhook } from './words.ts'

type OpenDialogName = 'change' | 'rotate' | 'remove' | 'enable'

/** One webhook: its state and settings, a test, its deliveries and replay. */
export function WebhookDetailPage({ webhookUuid }: { webhookUuid: string }): JSX.Element {
  const path = `/webhooks/${encodeURIComponent(webhookUuid)}`
  const webhook = useCall<Webhook>(v2('GET', path))
  const account = useCall<Account>(ACCOUNT, { refreshMs: 0 })
  const [dialog, setDialog] = useState<OpenDialogName>()
  const [round, setRound] = useState(0)
  const sites = account.data?.sites ?? []
  const reload = (): void => {
    webhook.reload()
    setRound((value) => value + 1)
  }
  const close = (): void => setDialog(undefined)
  const crumbs = [{ href: '/console/webhooks', name: 'Webhooks' }]
  if (!webhook.data)
    return (
      <Page title="Webhook" crumbs={crumbs}>
        {webhook.error ? <ErrorNote error={webhook.error} retry={webhook.reload} /> : <Skeleton rows={8} />}
      </Page>
    )
  const { url, description } = webhook.data
  return (
    <Page
      title={new URL(url).host}
      crumbs={crumbs}
      lead={description ?? 'Events are sent to this address.'}
      actions={<StateActions path={path} webhook={webhook.data} onOpen={setDialog} onChanged={reload} />}
    >
      <div class="columns">
        <ResourcePanel title="Webhook" resource={webhook}>
          {(data) => <WebhookFacts webhook={data} sites={sites} />}
        </ResourcePanel>
        <TestPanel path={path} onSent={reload} />
      </div>
      <DeliveriesPanel path={path} sites={sites} round={round} onChanged={reload} />
      <ReplayPanel path={path} sites={sites} onSent={reload} />
      {dialog === 'change' && (
        <OpenDialog title="Change the webhook" onClose={close}>
          <WebhookForm
            first={toDraft(webhook.data)}
            sites={sites}
            submitName="Save"
            toCall={(draft) => v2('PATCH', path, { body: webhook.data && toChanges(webhook.data, draft) })}
            onSubmit={async (call) => {
              await send(call)
              close()
              reload()
            }}
          />
        </OpenDialog>
      )}
      {dialog === 'rotate' && <RotateDialog path={path} onClose={close} />}
      {dialog === 'enable' && (
        <EnableDialog path={path} webhook={webhook.data} onClose={close} onDone={reload} />
      )}
      {dialog === 'remove' && <RemoveDialog path={path} url={url} onClose={close} />}
    </Page>
  )
}

function WebhookFacts({
  webhook,
  sites,
}: {
  webhook: Webhook
  sites: readonly { siteUuid: string; siteName: string }[]
}): JSX.Element {
  const { name, tone, text } = describeWebhook(webhook)
  const siteNames = webhook.siteUuids?.map(
    (uuid) => sites.find(({ siteUuid }) => siteUuid === uuid)?.siteName ?? uuid,
  )
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <Badge tone={tone}>{name}</Badge> <span class="quiet">{text}</span>
      </dd>
      {webhook.failingSince !== null && (
        <>
          <dt>Failing</dt>
          <dd>
            since <Moment at={webhook.failingSince} />
          </dd>
        </>
      )}
      <dt>Address</dt>
      <dd>
        <code>{webhook.url}</code>
      </dd>
      <dt>Events</dt>
      <dd>{describeTypes(webhook)}</dd>
      <dt>Sites</dt>
      <dd>{siteNames ? siteNames.join(', ') : 'All sites'}</dd>
      <dt>Heartbeat</dt>
      <dd>{webhook.heartbeat ? 'every hour' : 'none'}</dd>
      <dt>Last delivery</dt>
      <dd>
        <Moment at={webhook.lastDeliveredAt} />
      </dd>
      <dt>Waiting</dt>
      <dd>
        {plural(webhook.waiting, 'event')}
        {webhook.oldestWaitingAt !== null && (
          <>
            , the oldest from <Moment at={webhook.oldestWaitingAt} />
          </>
        )}
      </dd>
      {webhook.lost > 0 && (
        <>
          <dt>Lost</dt>
          <dd>
            <Badge tone="bad">{formatCount(webhook.lost)}</Badge>{' '}
            <span class="quiet">left the log before they could be delivered</span>
          </dd>
        </>
      )}
      <dt>Identifier</dt>
      <dd>
        <code>{webhook.webhookUuid}</code>
      </dd>
    </dl>
  )
}

interface StateActionsProps {
  path: string
  webhook: Webhook
  onOpen: (dialog: OpenDialogName) => void
  onChanged: () => void
}

function StateActions({ path, webhook, onOpen, onChanged }: StateActionsProps): JSX.Element {
  const action = useAction(async (call: ApiCall) => {
    await send(call)
    onChanged()
  })
  const isPaused = webhook.state === 'paused'
  const toggle = v2('PATCH', path, { body: { state: isPaused ? 'enabled' : 'paused' } })
  return (
    <>
      {webhook.state === 'disabled' ? (
        <button type="button" class="button primary" onClick={() => onOpen('enable')}>
          Enable
        </button>
      ) : (
        <button
          type="button"
          class="button"
          disabled={action.isRunning}
          onClick={() => void action.run(toggle)}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </button>
      )}
      <button type="button" class="button" onClick={() => onOpen('change')}>
        Change
      </button>
      <button type="button" class="button" onClick={() => onOpen('rotate')}>
        Rotate the secret
      </button>
      <button type="button" class="button danger" onClick={() => onOpen('remove')}>
        Remove
      </button>
      {action.error && <ErrorNote error={action.error} />}
    </>
  )
}

function RotateDialog({ path, onClose }: { path: string; onClose: () => void }): JSX.Element {
  const [added, setAdded] = useState<AddedWebhookSecret>()
  const call = v2('POST', `${path}/secrets`)
  const action = useAction(async () => setAdded((await send<AddedWebhookSecret>(call)).data))
  return (
    <OpenDialog
      title={added ? 'The new secret' : 'Rotate the secret'}
      onClose={onClose}
      isKeptOpen={added !== undefined}
    >
      {added ? (
        <SecretOnce
          secret={added.secret}
          note={`Until ${formatMoment(Date.parse(added.previousEndsAt))}, requests also carry a signature of the previous secret.`}
          onDone={onClose}
        />
      ) : (
        <div class="stack wide">
          <p>
            A new secret is made and shown once. For 24 hours, requests are signed with both secrets, so that
            your receiver can change over at any time in between.
          </p>
          {action.error && <ErrorNote error={action.error} />}
          <div class="actions">
            <button
              type="button"
              class="button primary"
              disabled={action.isRunning}
              onClick={() => void action.run()}
            >
              Make a new secret
            </button>
            <ShowCall calls={[call]} subject="Rotate the secret" />
          </div>
        </div>
      )}
    </OpenDialog>
  )
}

interface EnableDialogProps {
  path: string
  webhook: Webhook
  onClose: () => void
  onDone: () => void
}

function EnableDialog({ path, webhook, onClose, onDone }: EnableDialogProps): JSX.Element {
  const [isFromNow, setFromNow] = useState(false)
  const call = v2('POST', `${path}/enable`, { body: isFromNow ? { from: 'now' } : {} })
  const action = useAction(async () => {
    await send(call)
    onClose()
    onDone()
  })
  return (
    <OpenDialog title="Enable the webhook" onClose={onClose}>
      <form
        class="stack wide"
        onSubmit={(event) => {
          event.preventDefault()
          void action.run()
        }}
      >
        <p>{describeWebhook(webhook).text}</p>
        <fieldset class="checkboxes">
          <legend>Continue</legend>
          <label>
            <input type="radio" name="from" checked={!isFromNow} onChange={() => setFromNow(false)} />
            <span>where it stopped: {plural(webhook.waiting, 'waiting event')} will be sent</span>
          </label>
          <label>
            <input type="radio" name="from" checked={isFromNow} onChange={() => setFromNow(true)} />
            <span>with the next event: waiting events are skipped</span>
          </label>
        </fieldset>
        {action.error && <ErrorNote error={action.error} />}
        <div class="actions">
          <button class="button primary" disabled={action.isRunning}>
            Enable
          </button>
          <ShowCall calls={[call]} subject="Enable the webhook" />
        </div>
      </form>
    </OpenDialog>
  )
}

function RemoveDialog({
  path,
  url,
  onClose,
}: {
  path: string
  url: string
  onClose: () => void
}): JSX.Element {
  const call = v2('DELETE', path)
  const action = useAction(async () => {
    await send(call)
    navigate('/console/webhooks')
  })
  return (
    <OpenDialog title="Remove the webhook" onClose={onClose}>
      <div class="stack wide">
        <p>
          Events are no longer sent to <code>{url}</code>. Its deliveries are deleted, and events that wait
          are not delivered.
        </p>
        {action.error && <ErrorNote error={action.error} />}
        <div class="actions">
          <button
            type="button"
            class="button danger"
            disabled={action.isRunning}
            onClick={() => void action.run()}
          >
            Remove the webhook
          </button>
          <ShowCall calls={[call]} subject="Remove the webhook" />
        </div>
      </div>
    </OpenDialog>
  )
}
