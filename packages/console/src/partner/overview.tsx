import type { Account, Secret, SiteRecord, V1Usage } from '@portico/sdk'
import type { JSX } from 'preact'
import { v2 } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { CopyButton, Identifier } from '../components/code.tsx'
import { type Figure, Figures } from '../components/figures.tsx'
import { Moment } from '../components/moment.tsx'
import { Page } from '../components/page.tsx'
import { ResourceContent, ResourcePanel } from '../components/panel.tsx'
import { ShowCall } from '../components/show-call.tsx'
import { DataTable } from '../components/table.tsx'
import { formatCount, formatDate, formatRelative, plural } from '../format.ts'
import { type ListBody, useCall } from '../resource.ts'
import { toSitePages } from '../nav.ts'
import { hasRole } from '../session.ts'
import { describeRole } from './roles.ts'
import { ACCOUNT } from './site.ts'
import { useShown } from './use-shown.ts'
import { toProgress } from './v1-usage.ts'

const DAY_MS = 86_400_000
const WARN_DAYS = 30

/** What the partner has: sites, roles, secrets, limits, webhooks and what is left of version 1. */
export function Overview(): JSX.Element {
  const account = useCall<Account>(ACCOUNT)
  const siteId = account.data?.sites[0]?.siteUuid
  const usage = useCall<ListBody<V1Usage>>(
    siteId === undefined ? undefined : v2('GET', '/migration/usage', { siteId }),
  )
  const calls = [account.call, usage.call].filter((call) => call !== undefined)
  return (
    <Page
      title="Overview"
      lead={account.data && `What ${account.data.name} can use, and what needs attention.`}
      actions={<ShowCall calls={calls} subject="Overview" />}
    >
      <ResourceContent resource={account}>
        {(data) => <Figures figures={toFigures(data, usage.data?.data)} />}
      </ResourceContent>
      <ResourcePanel
        title="Sites"
        resource={account}
        empty={{
          when: ({ sites }) => sites.length === 0,
          title: 'No site is granted to you yet',
          text: 'Ask the operator of this installation to grant you a site. It appears here at once.',
        }}
      >
        {({ sites }) => <Sites sites={sites} />}
      </ResourcePanel>
      <div class="columns">
        <ResourcePanel title="Secrets" resource={account}>
          {({ secrets, clientId }) => <Secrets secrets={secrets} clientId={clientId} />}
        </ResourcePanel>
        <ResourcePanel
          title="Roles"
          resource={account}
          empty={{
            when: ({ roles }) => roles.length === 0,
            title: 'No role is granted to you yet',
            text: 'Ask the operator for the roles that your program needs, such as Spaces.Read.',
          }}
        >
          {({ roles }) => (
            <ul class="roles">
              {roles.map((role) => (
                <li key={role}>
                  {describeRole(role)} <code>{role}</code>
                </li>
              ))}
            </ul>
          )}
        </ResourcePanel>
      </div>
    </Page>
  )
}

function toFigures(
  { sites, rateLimits, secrets, webhooks }: Account,
  usage: V1Usage[] | undefined,
): Figure[] {
  return [
    { name: 'Sites', value: formatCount(sites.length), note: describeSandboxes(sites) },
    {
      name: 'Requests a minute',
      value: formatCount(rateLimits.perMinute),
      note: `per site, ${formatCount(rateLimits.per5Minutes)} in 5 minutes; the console’s own do not count`,
    },
    toSecretFigure(secrets),
    ...(webhooks ? [toWebhookFigure(webhooks)] : []),
    ...(usage ? [toV1Figure(usage)] : []),
  ]
}

function describeSandboxes(sites: readonly SiteRecord[]): string {
  const count = sites.filter(({ sandbox }) => sandbox).length
  return count === 0 ? 'in production' : count === sites.length ? 'for testing' : `${count} for testing`
}

const isExpired = ({ expiresAt }: Secret): boolean => Date.parse(expiresAt) <= Date.now()
const isExpiring = ({ expiresAt }: Secret): boolean => Date.parse(expiresAt) < Date.now() + WARN_DAYS * DAY_MS

/** The last secret that expires decides when the partner's programs stop. */
function toSecretFigure(secrets: readonly Secret[]): Figure {
  const valid = secrets.filter((secret) => !isExpired(secret))
  const last = valid.toSorted((a, b) => b.expiresAt.localeCompare(a.expiresAt))[0]
  if (!last) return { name: 'Secret expires', value: 'None valid', note: 'Ask for a new one', tone: 'bad' }
  return {
    name: 'Secret expires',
    value: formatDate(Date.parse(last.expiresAt)),
    note: isExpiring(last)
      ? `${formatRelative(Date.parse(last.expiresAt))}: ask the operator for a new one`
      : plural(valid.length, 'valid secret'),
    tone: isExpiring(last) ? 'warning' : 'neutral',
  }
}

function toWebhookFigure({ enabled, failing, disabled }: NonNullable<Account['webhooks']>): Figure {
  const troubles = [
    ...(failing > 0 ? [`${formatCount(failing)} failing`] : []),
    ...(disabled > 0 ? [`${formatCount(disabled)} disabled`] : []),
  ]
  return {
    name: 'Webhooks',
    value: `${formatCount(enabled)} enabled`,
    note: troubles.join(', ') || (enabled > 0 ? 'none failing' : 'none yet'),
    href: '/console/webhooks',
    tone: failing > 0 ? 'bad' : disabled > 0 ? 'warning' : 'neutral',
  }
}

function toV1Figure(usage: readonly V1Usage[]): Figure {
  const { called, active, lastSeenAt, nextSunset } = toProgress(usage, Date.now())
  const name = 'Version 1'
  const href = '/console/migration'
  if (lastSeenAt === undefined) return { name, href, value: 'Not used', note: 'nothing to migrate' }
  if (active.length === 0)
    return {
      name,
      href,
      value: 'Moved',
      note: `last call ${formatRelative(Date.parse(lastSeenAt))}`,
      tone: 'good',
    }
  const sunset = nextSunset?.sunsetAt
  return {
    name,
    href,
    value: `${active.length} of ${called.length} in use`,
    note: sunset ? `the next ends ${formatRelative(Date.parse(sunset))}` : 'endpoints still called',
    tone: 'warning',
  }
}

function Sites({ sites }: { sites: readonly SiteRecord[] }): JSX.Element {
  const { shown, loadMore } = useShown(sites)
  const toPages = (siteUuid: string) =>
    toSitePages(siteUuid).filter(({ role }) => role === undefined || hasRole(role))
  return (
    <DataTable
      caption="Sites"
      rows={shown}
      toKey={({ siteUuid }) => siteUuid}
      loadMore={loadMore}
      columns={[
        {
          header: 'Site',
          cell: ({ siteUuid, siteName, sandbox }) => (
            <span class="with-badge">
              <a href={toPages(siteUuid)[0]?.href ?? '/console'}>{siteName}</a>
              {sandbox && <Badge>sandbox</Badge>}
            </span>
          ),
        },
        { header: 'Time zone', cell: ({ timeZone }) => timeZone, isMinor: true },
        {
          header: 'SiteId',
          isMinor: true,
          cell: ({ siteUuid }) => (
            <span class="with-badge">
              <Identifier value={siteUuid} />
              <CopyButton text={siteUuid} />
            </span>
          ),
        },
        {
          header: 'Pages',
          cell: ({ siteUuid, siteName }) => (
            <span class="links">
              {toPages(siteUuid).map(({ href, name }) => (
                <a key={href} href={href} aria-label={`${name} of ${siteName}`}>
                  {name}
                </a>
              ))}
            </span>
          ),
        },
      ]}
    />
  )
}

function Secrets({ secrets, clientId }: { secrets: readonly Secret[]; clientId: string }): JSX.Element {
  return (
    <>
      <p class="quiet">
        Client ID <Identifier value={clientId} />
      </p>
      <DataTable
        caption="Secrets"
        rows={secrets}
        toKey={({ secretId }) => secretId}
        columns={[
          { header: 'Secret', cell: ({ hint }) => <code>{hint}…</code> },
          { header: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} />, isMinor: true },
          { header: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
          {
            header: 'Expires',
            cell: (secret) =>
              isExpired(secret) ? (
                <Badge tone="bad">expired</Badge>
              ) : isExpiring(secret) ? (
                <Badge tone="warning">
                  <Moment at={secret.expiresAt} />
                </Badge>
              ) : (
                formatDate(Date.parse(secret.expiresAt))
              ),
          },
        ]}
      />
    </>
  )
}
