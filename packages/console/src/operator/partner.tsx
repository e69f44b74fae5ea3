import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type {
  OperatorWebhook,
  Partner,
  PartnerChanges,
  PartnerWithSecrets,
  V1Caller,
  V1Day,
} from '@portico/sdk/operator'
import { type ApiCall, operator } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { CallForm } from '../components/call-form.tsx'
import { Identifier } from '../components/code.tsx'
import { ConfirmButton } from '../components/confirm.tsx'
import { CheckboxGroup, Field } from '../components/form.tsx'
import { Moment } from '../components/moment.tsx'
import { useNotice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { Panel, ResourceContent, ResourcePanel } from '../components/panel.tsx'
import { DataTable } from '../components/table.tsx'
import { formatCount } from '../format.ts'
import { type ListBody, type Resource, useCall, useList } from '../resource.ts'
import { findSiteName, toSitePage, useSites } from './names.ts'
import { type Role, ROLES } from './roles.ts'
import { SecretsPanel } from './secrets.tsx'
import { SessionTable } from './sessions.tsx'
import { DailyCalls, toDaysCall } from './v1-days.tsx'
import type { ConsoleSession } from '@portico/sdk/operator'
import { WebhookTable } from './webhooks.tsx'

interface PartProps {
  partner: PartnerWithSecrets
  onChanged: (text: string) => void
}

interface ShownProps extends PartProps {
  /** The call that read the partner. */
  call: ApiCall | undefined
}

const toChange = (partnerUuid: string, body: PartnerChanges): ApiCall =>
  operator('PATCH', `/partners/${partnerUuid}`, { body })

export function PartnerPage({ partnerUuid }: { partnerUuid: string }): JSX.Element {
  const resource = useCall<PartnerWithSecrets>(
    operator('GET', `/partners/${encodeURIComponent(partnerUuid)}`),
  )
  const { notice, say } = useNotice()
  const partner = resource.data
  const onChanged = (text: string): void => {
    say(text)
    resource.reload()
  }
  const crumbs = [{ href: '/console/operator/partners', name: 'Partners' }]
  if (!partner)
    return (
      <Page title="Partner" crumbs={crumbs}>
        <ResourceContent resource={resource} skeletonRows={8}>
          {() => null}
        </ResourceContent>
      </Page>
    )
  return (
    <Page
      title={partner.name}
      crumbs={crumbs}
      actions={<EnableButton partner={partner} onChanged={onChanged} />}
    >
      {notice}
      {!partner.enabled && (
        <p class="note warning">
          This partner is disabled: it gets no tokens, and those that it had are revoked. Its webhooks wait.
        </p>
      )}
      <div class="columns">
        <Details partner={partner} resource={resource} onChanged={onChanged} />
        <Limits
          key={JSON.stringify(partner.rateLimits)}
          partner={partner}
          call={resource.call}
          onChanged={onChanged}
        />
      </div>
      <SecretsPanel partner={partner} call={resource.call} onChanged={onChanged} />
      <div class="columns">
        <Roles key={partner.roles.join()} partner={partner} call={resource.call} onChanged={onChanged} />
        <Sites partner={partner} call={resource.call} onChanged={onChanged} />
      </div>
      <Usage partnerUuid={partner.partnerUuid} />
      <Webhooks partnerUuid={partner.partnerUuid} onChanged={onChanged} />
      <Sessions partnerUuid={partner.partnerUuid} onChanged={onChanged} />
    </Page>
  )
}

function EnableButton({ partner, onChanged }: PartProps): JSX.Element {
  const { partnerUuid, name, enabled } = partner
  if (enabled)
    return (
      <ConfirmButton<Partner>
        label="Disable"
        title={`Disable ${name}?`}
        confirm="Disable the partner"
        isDanger
        call={toChange(partnerUuid, { enabled: false })}
        onAnswer={() => onChanged('The partner is disabled.')}
      >
        <p>
          All its requests are rejected from now on, and all its tokens are revoked for good. Its settings,
          secrets and webhooks remain, so that it can be enabled again.
        </p>
      </ConfirmButton>
    )
  return (
    <ConfirmButton<Partner>
      label="Enable"
      title={`Enable ${name}?`}
      confirm="Enable the partner"
      call={toChange(partnerUuid, { enabled: true })}
      onAnswer={() => onChanged('The partner is enabled.')}
    >
      <p>It can get new tokens with its secrets. Tokens from before stay revoked.</p>
    </ConfirmButton>
  )
}

function Details({
  partner,
  resource,
  onChanged,
}: PartProps & { resource: Resource<PartnerWithSecrets> }): JSX.Element {
  const [name, setName] = useState(partner.name)
  const isChanged = name.trim() !== '' && name.trim() !== partner.name
  return (
    <ResourcePanel title="Details" resource={resource}>
      {() => (
        <>
          <dl class="facts">
            <dt>State</dt>
            <dd>
              {partner.enabled ? <Badge tone="good">enabled</Badge> : <Badge tone="bad">disabled</Badge>}
            </dd>
            <dt>Client</dt>
            <dd>
              <Identifier value={partner.clientId} />
            </dd>
            <dt>Partner</dt>
            <dd>
              <Identifier value={partner.partnerUuid} />
            </dd>
            <dt>Added</dt>
            <dd>
              <Moment at={partner.createdAt} />
            </dd>
            <dt>Last changed</dt>
            <dd>
              <Moment at={partner.updatedAt} />
            </dd>
          </dl>
          <CallForm<Partner>
            subject="Rename"
            label="Rename"
            isQuiet
            call={isChanged ? toChange(partner.partnerUuid, { name: name.trim() }) : undefined}
            onAnswer={() => onChanged('The partner is renamed.')}
          >
            <Field label="Name">
              {(control) => (
                <input
                  {...control}
                  type="text"
                  required
                  maxLength={200}
                  value={name}
                  onInput={({ currentTarget }) => setName(currentTarget.value)}
                />
              )}
            </Field>
          </CallForm>
        </>
      )}
    </ResourcePanel>
  )
}

const LIMITS = [
  ['perMinute', 'Requests a minute and site'],
  ['per5Minutes', 'Requests in five minutes and site'],
] as const

function Limits({ partner, call: shown, onChanged }: ShownProps): JSX.Element {
  const [limits, setLimits] = useState<Partner['rateLimits']>(partner.rateLimits)
  const isChanged = JSON.stringify(limits) !== JSON.stringify(partner.rateLimits)
  return (
    <Panel title="Rate limits" lead="Leave a field empty for the limit of the installation." calls={[shown]}>
      <CallForm<Partner>
        subject="Change the limits"
        label="Save the limits"
        isQuiet
        call={isChanged ? toChange(partner.partnerUuid, { rateLimits: limits }) : undefined}
        onAnswer={() => onChanged('The limits are saved.')}
      >
        {LIMITS.map(([name, label]) => (
          <Field key={name} label={label}>
            {(control) => (
              <input
                {...control}
                type="number"
                min={1}
                max={1_000_000}
                placeholder="as the installation"
                value={limits[name] ?? ''}
                onInput={({ currentTarget }) => {
                  const { [name]: _, ...others } = limits
                  setLimits(
                    currentTarget.value === '' ? others : { ...others, [name]: Number(currentTarget.value) },
                  )
                }}
              />
            )}
          </Field>
        ))}
      </CallForm>
    </Panel>
  )
}

function Roles({ partner, call: shown, onChanged }: ShownProps): JSX.Element {
  const held = ROLES.filter(({ value }) => partner.roles.includes(value)).map(({ value }) => value)
  const [roles, setRoles] = useState<readonly Role[]>(held)
  const granted = roles.filter((role) => !held.includes(role))
  const revoked = held.filter((role) => !roles.includes(role))
  const isChanged = granted.length > 0 || revoked.length > 0
  const call = isChanged ? toChange(partner.partnerUuid, { roles: [...roles] }) : undefined
  return (
    <Panel
      title="Roles"
      lead="Changes take effect immediately, for tokens already issued too."
      calls={[shown]}
    >
      <CheckboxGroup legend="What the partner may do" options={ROLES} value={roles} onChange={setRoles} />
      <div class="actions">
        <ConfirmButton<Partner>
          label="Save the roles"
          title={`Change the roles of ${partner.name}?`}
          confirm="Change the roles"
          isDanger={revoked.length > 0 || granted.includes('Operator')}
          isDisabled={!isChanged}
          call={call}
          onAnswer={() => onChanged('The roles are changed.')}
        >
          <ul>
            {granted.map((role) => (
              <li key={role}>
                Grants <code>{role}</code>
              </li>
            ))}
            {revoked.map((role) => (
              <li key={role}>
                Revokes <code>{role}</code>: requests that need it fail with 403 immediately
              </li>
            ))}
          </ul>
          {granted.includes('Operator') && (
            <p class="note warning">An operator can read and change everything in this installation.</p>
          )}
        </ConfirmButton>
      </div>
    </Panel>
  )
}

function Sites({ partner, call: shown, onChanged }: ShownProps): JSX.Element {
  const sites = useSites()
  const [chosen, setChosen] = useState('')
  const others = (sites.data ?? []).filter(({ siteUuid }) => !partner.sites.includes(siteUuid))
  const chosenName = findSiteName(sites.data, chosen)
  return (
    <Panel title="Sites" lead="The sites whose data and devices the partner may use." calls={[shown]}>
      {partner.sites.length > 0 ? (
        <DataTable
          caption="Sites of the partner"
          rows={partner.sites}
          toKey={(siteUuid) => siteUuid}
          columns={[
            {
              header: 'Site',
              cell: (siteUuid) => <a href={toSitePage(siteUuid)}>{findSiteName(sites.data, siteUuid)}</a>,
            },
            {
              header: 'Access',
              isNumber: true,
              cell: (siteUuid) => (
                <ConfirmButton<Partner>
                  label="Revoke"
                  subject={findSiteName(sites.data, siteUuid)}
                  title={`Revoke access to ${findSiteName(sites.data, siteUuid)}?`}
                  confirm="Revoke access"
                  isSmall
                  isDanger
                  call={toChange(partner.partnerUuid, { revokeSites: [siteUuid] })}
                  onAnswer={() => onChanged(`Access to ${findSiteName(sites.data, siteUuid)} is revoked.`)}
                >
                  <p>Requests of {partner.name} for this site fail with 403 immediately.</p>
                </ConfirmButton>
              ),
            },
          ]}
        />
      ) : (
        <p class="quiet">No site is granted: the partner can sign in, but reads nothing.</p>
      )}
      <CallForm<Partner>
        subject="Grant a site"
        label="Grant"
        isQuiet
        call={chosen === '' ? undefined : toChange(partner.partnerUuid, { grantSites: [chosen] })}
        onAnswer={() => {
          setChosen('')
          onChanged(`${chosenName} is granted.`)
        }}
      >
        <Field label="Grant a site">
          {(control) => (
            <select
              {...control}
              value={chosen}
              disabled={others.length === 0}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            >
              <option value="">{others.length === 0 ? 'All sites are granted' : 'Choose a site'}</option>
              {others.map(({ siteUuid, siteName }) => (
                <option key={siteUuid} value={siteUuid}>
                  {siteName}
                </option>
              ))}
            </select>
          )}
        </Field>
      </CallForm>
    </Panel>
  )
}

function Usage({ partnerUuid }: { partnerUuid: string }): JSX.Element {
  const callers = useList<V1Caller>(operator('GET', '/migration', { query: { partnerUuid } }))
  const isUsed = (callers.data?.length ?? 0) > 0
  const days = useCall<ListBody<V1Day>>(isUsed ? toDaysCall(partnerUuid) : undefined)
  return (
    <ResourcePanel
      title="Version 1"
      resource={callers}
      calls={[days.call]}
      empty={{ when: () => !isUsed, title: 'This partner has never called version 1' }}
    >
      {(rows) => (
        <>
          {days.data && <DailyCalls days={days.data.data} />}
          <DataTable
            caption="Calls to version 1"
            rows={rows}
            toKey={({ path }) => path}
            columns={[
              { header: 'Endpoint', cell: ({ path }) => <code>{path}</code> },
              { header: 'Calls', cell: ({ calls }) => formatCount(calls), isNumber: true },
              { header: 'Failed', cell: ({ failed }) => formatCount(failed), isNumber: true },
              { header: 'Last call', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
              {
                header: 'In version 2',
                cell: ({ replacement }) =>
                  replacement ? <code>{replacement}</code> : <span class="quiet">none</span>,
                isMinor: true,
              },
            ]}
          />
        </>
      )}
    </ResourcePanel>
  )
}

interface OwnedProps {
  partnerUuid: string
  onChanged: (text: string) => void
}

function Webhooks({ partnerUuid, onChanged }: OwnedProps): JSX.Element {
  const webhooks = useCall<{ data: OperatorWebhook[] }>(
    operator('GET', '/webhooks', { query: { partnerUuid } }),
  )
  return (
    <ResourcePanel
      id="webhooks"
      title="Webhooks"
      resource={webhooks}
      empty={{ when: ({ data }) => data.length === 0, title: 'This partner has no webhooks' }}
    >
      {({ data }) => (
        <WebhookTable
          webhooks={data}
          onChanged={(text) => {
            webhooks.reload()
            onChanged(text)
          }}
        />
      )}
    </ResourcePanel>
  )
}

function Sessions({ partnerUuid, onChanged }: OwnedProps): JSX.Element {
  const sessions = useList<ConsoleSession>(operator('GET', '/sessions', { query: { partnerUuid } }))
  return (
    <ResourcePanel
      title="Console sessions"
      resource={sessions}
      empty={{
        when: (rows) => rows.length === 0,
        title: 'No one from this partner is signed in to the console',
      }}
    >
      {(rows) => (
        <SessionTable
          sessions={rows}
          loadMore={sessions.loadMore}
          onEnded={(text) => {
            sessions.reload()
            onChanged(text)
          }}
        />
      )}
    </ResourcePanel>
  )
}
