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
import { Empty } from '../components/states.tsx'
import { DataTable } from '../components/table.tsx'
import { formatCount, formatDate, formatRelative, plural } from '../format.ts'
import { type ListBody, useCall } from '../resource.ts'
import { toSitePages } from '../nav.ts'
import { getQuery } from '../route.ts'
import { hasRole } from '../session.ts'
import { TextFilter } from './filter.tsx'
import { describeRole } from './roles.ts'
import { ACCOUNT } from './site.ts'
import { toProgress } from './v1-usage.ts'

const DAY_MS = 86_400_000
const WARN_DAYS = 30
/** Share of a rate limit below which little is left. */
const LOW_SHARE = 0.1

/** The partner's sites, roles, secrets, limits, webhooks and remaining calls to version 1. */
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
      lead={account.data && `What ${account.data.name} has access to, and what needs attention.`}
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
          text: 'Ask the operator of this installation to grant you a site. It appears here immediately.',
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
    toLimitFigure(rateLimits, sites),
    toSecretFigure(secrets),
    ...(webhooks ? [toWebhookFigure(webhooks)] : []),
    ...(usage ? [toV1Figure(usage)] : []),
  ]
}

/** The lowest remaining limit over the sites, each of which has its own. */
function toLimitFigure(
  { perMinute, per5Minutes, remaining = [] }: Account['rateLimits'],
  sites: readonly SiteRecord[],
): Figure {
  const least = remaining.toSorted((a, b) => toShare(a) - toShare(b))[0]
  function toShare(left: { perMinute: number; per5Minutes: number }): number {
    return Math.min(left.perMinute / perMinute, left.per5Minutes / per5Minutes)
  }
  if (!least)
    return {
      name: 'Requests a minute',
      value: formatCount(perMinute),
      note: `per site, ${formatCount(per5Minutes)} in 5 minutes; the console’s own do not count`,
    }
  const share = toShare(least)
  const site = sites.find(({ siteUuid }) => siteUuid === least.siteUuid)?.siteName
  return {
    name: 'Requests left',
    value: `${formatCount(least.perMinute)} of ${formatCount(perMinute)}`,
    note: `this minute${sites.length > 1 ? ` at ${site}` : ''}; ${formatCount(least.per5Minutes)} of ${formatCount(per5Minutes)} in 5 minutes`,
    tone: share === 0 ? 'bad' : share < LOW_SHARE ? 'warning' : 'neutral',
  }
}

function describeSandboxes(sites: readonly SiteRecord[]): string {
  const count = sites.filter(({ sandbox }) => sandbox).length
  return count === 0 ? 'in production' : count === sites.length ? 'for testing' : `${count} for testing`
}

const isExpired = ({ expiresAt }: Secret): boolean => Date.parse(expiresAt) <= Date.now()
const isExpiring = ({ expiresAt }: Secret): boolean => Date.parse(expiresAt) < Date.now() + WARN_DAYS * DAY_MS

/** The secret that expires last determines when the partner's programs stop working. */
function toSecretFigure(secrets: readonly Secret[]): Figure {
  const valid = secrets.filter((secret) => !isExpired(secret))
  const last = valid.toSorted((a, b) => b.expiresAt.localeCompare(a.expiresAt))[0]
  if (!last) return { name: 'Secret expires', value: 'None valid', note: 'Ask for a new one', tone: 'bad' }
  return {
    name: 'Secret expires',
    value: formatRelative(Date.parse(last.expiresAt)),
    note: isExpiring(last)
      ? `on ${formatDate(Date.parse(last.expiresAt))}: ask the operator for a new one`
      : `on ${formatDate(Date.parse(last.expiresAt))}; ${plural(valid.length, 'valid secret')}`,
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
    value: plural(active.length, 'endpoint'),
    note: `of ${called.length} still called${sunset ? `; the next ends ${formatRelative(Date.parse(sunset))}` : ''}`,
    tone: 'warning',
  }
}

/** Sites above which a search is offered. */
const FEW_SITES = 20

function Sites({ sites }: { sites: readonly SiteRecord[] }): JSX.Element {
  const search = (getQuery('search') ?? '').toLowerCase()
  const matching = sites.filter(({ siteUuid, siteName }) =>
    [siteUuid, siteName].some((text) => text.toLowerCase().includes(search)),
  )
  return (
    <>
      {sites.length > FEW_SITES && (
        <div class="filters" role="search" aria-label="Sites">
          <TextFilter label="Name or SiteId" name="search" />
        </div>
      )}
      {matching.length === 0 ? (
        <Empty title="No site matches">Change the text that is searched for.</Empty>
      ) : (
        <SiteTable sites={matching} />
      )}
    </>
  )
}

function SiteTable({ sites }: { sites: readonly SiteRecord[] }): JSX.Element {
  const toPages = (siteUuid: string) =>
    toSitePages(siteUuid).filter(({ role }) => role === undefined || hasRole(role))
  return (
    <DataTable
      caption="Sites"
      rows={sites}
      toKey={({ siteUuid }) => siteUuid}
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
                <span class="nowrap">{formatDate(Date.parse(secret.expiresAt))}</span>
              ),
          },
        ]}
      />
    </>
  )
}
