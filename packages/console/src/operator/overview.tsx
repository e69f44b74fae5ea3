import type { JSX } from 'preact'
import { operator } from '../api.ts'
import { Badge, CommandBadge } from '../components/badge.tsx'
import { Figures } from '../components/figures.tsx'
import { Moment } from '../components/moment.tsx'
import { Page } from '../components/page.tsx'
import { Panel, ResourceContent } from '../components/panel.tsx'
import { ShowCall } from '../components/show-call.tsx'
import { DataTable } from '../components/table.tsx'
import { formatCount, plural } from '../format.ts'
import { useCall } from '../resource.ts'
import { findConcerns, toVerdict } from './concerns.ts'
import { toPartnerPage, toSitePage } from './names.ts'
import { PresenceBar } from './presence.tsx'
import { ExpiryBadge } from './secrets.tsx'
import type { InstallationHealth } from '@portico/sdk/operator'

const HEALTH = operator('GET', '/health')

export function OverviewPage(): JSX.Element {
  const health = useCall<InstallationHealth>(HEALTH)
  return (
    <Page
      title="Overview"
      lead={
        health.data && (
          <>
            Portico <a href="/docs/changelog">{health.data.version}</a>, started{' '}
            <Moment at={health.data.startedAt} />
          </>
        )
      }
      actions={<ShowCall calls={[HEALTH]} subject="Overview" />}
    >
      <ResourceContent resource={health} skeletonRows={8}>
        {(data) => (
          <>
            <Verdict health={data} />
            <KeyFigures health={data} />
            <div class="columns">
              <Sites health={data} />
              <Commands health={data} />
              <Rejected health={data} />
              <Secrets health={data} />
              <Webhooks health={data} />
            </div>
          </>
        )}
      </ResourceContent>
    </Page>
  )
}

function Verdict({ health }: { health: InstallationHealth }): JSX.Element {
  const concerns = findConcerns(health, Date.now())
  const isUrgent = concerns.some((concern) => concern.isUrgent)
  const tone = concerns.length === 0 ? 'good' : isUrgent ? 'error' : 'warning'
  return (
    <section class={`verdict note ${tone}`} aria-label="Verdict" id="readiness" tabIndex={-1}>
      <h2>
        <span role="status">{toVerdict(concerns)}</span>
      </h2>
      {concerns.length === 0 ? (
        <p>
          The server is ready, readings arrive, every device that was seen is online, and nothing failed or is
          about to expire.
        </p>
      ) : (
        <ul>
          {concerns.map(({ text, href, isUrgent: isFirst }) => (
            <li key={`${href} ${text}`}>
              <a href={href}>{text}</a>
              {isFirst && <span class="urgent"> urgent</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

function KeyFigures({ health }: { health: InstallationHealth }): JSX.Element {
  const { ingest, devices, rejected, commands, webhooks, expiringSecrets, v1 } = health
  const messages = sum(rejected.map((entry) => entry.messages))
  return (
    <Figures
      figures={[
        {
          name: 'Readings a minute',
          value: formatCount(Math.round(ingest.readingsPerMinute)),
          note: (
            <>
              newest <Moment at={ingest.newestReadingAt} never="none yet" />
            </>
          ),
          href: '/console/operator/sites',
        },
        {
          name: 'Waiting to be packed',
          value: formatCount(ingest.waitingToBePacked),
          note: `readings; ${plural(ingest.waitingRollups, 'rollup')} due`,
          href: '/docs/operations',
        },
        {
          name: 'Devices online',
          value: formatCount(devices.online),
          note: `${formatCount(devices.offline)} offline, ${formatCount(devices.unknown)} never seen`,
          tone: devices.offline > 0 ? 'warning' : 'neutral',
          href: '/console/operator/sites',
        },
        {
          name: 'Rejected messages',
          value: formatCount(messages),
          note: 'in the last hour',
          tone: messages > 0 ? 'warning' : 'neutral',
          href: '/console/operator/rejected',
        },
        {
          name: 'Commands',
          value: formatCount(sum(commands.map((entry) => entry.commands))),
          note: 'open or finished today',
          href: '/console/operator/commands',
        },
        {
          name: 'Failing webhooks',
          value: formatCount(webhooks.failing),
          note: `of ${formatCount(webhooks.enabled)}; ${formatCount(webhooks.disabled)} disabled`,
          tone: webhooks.failing > 0 ? 'bad' : 'neutral',
          href: '/console/operator/webhooks?state=failing',
        },
        {
          name: 'Expiring secrets',
          value: formatCount(expiringSecrets.length),
          note: 'within 30 days',
          tone: expiringSecrets.length > 0 ? 'warning' : 'neutral',
          href: '/console/operator/partners',
        },
        {
          name: 'Calls to version 1',
          value: formatCount(v1.calls),
          note: v1.calls === 0 ? 'in 24 hours' : `in 24 hours, by ${plural(v1.partners, 'partner')}`,
          href: '/console/operator/v1',
        },
      ]}
    />
  )
}

function Sites({ health }: { health: InstallationHealth }): JSX.Element {
  const { sites } = health.devices
  return (
    <Panel title="Devices" lead="Sites with devices that are offline, the worst first." calls={[HEALTH]}>
      <PresenceBar presence={health.devices} />
      {sites.length > 0 && (
        <DataTable
          caption="Sites with devices that are offline"
          rows={sites}
          toKey={({ siteUuid }) => siteUuid}
          columns={[
            {
              header: 'Site',
              cell: ({ siteUuid, siteName }) => <a href={toSitePage(siteUuid)}>{siteName}</a>,
            },
            { header: 'Devices', cell: ({ devices }) => <PresenceBar presence={devices} /> },
          ]}
        />
      )}
    </Panel>
  )
}

function Commands({ health }: { health: InstallationHealth }): JSX.Element {
  const present = health.commands.filter(({ commands }) => commands > 0)
  return (
    <Panel title="Commands" lead="Open, or finished today (UTC), by state." calls={[HEALTH]}>
      {present.length === 0 ? (
        <p class="quiet">No command is open or was finished today.</p>
      ) : (
        <DataTable
          caption="Commands today, by state"
          rows={present}
          toKey={({ state }) => state}
          columns={[
            {
              header: 'State',
              cell: ({ state }) => (
                <a href={`/console/operator/commands?state=${state}`}>
                  <CommandBadge status={state} />
                </a>
              ),
            },
            { header: 'Commands', cell: ({ commands }) => formatCount(commands), isNumber: true },
          ]}
        />
      )}
    </Panel>
  )
}

function Rejected({ health }: { health: InstallationHealth }): JSX.Element {
  return (
    <Panel title="Rejected messages" lead="In the last hour, by reason." calls={[HEALTH]}>
      {health.rejected.length === 0 ? (
        <p class="quiet">Every message was accepted.</p>
      ) : (
        <DataTable
          caption="Rejected messages, by reason"
          rows={health.rejected}
          toKey={({ reason }) => reason}
          columns={[
            {
              header: 'Reason',
              cell: ({ reason }) => (
                <a href={`/console/operator/rejected?reason=${encodeURIComponent(reason)}`}>{reason}</a>
              ),
            },
            { header: 'Messages', cell: ({ messages }) => formatCount(messages), isNumber: true },
          ]}
        />
      )}
    </Panel>
  )
}

function Secrets({ health }: { health: InstallationHealth }): JSX.Element {
  return (
    <Panel title="Expiring secrets" lead="Within 30 days." calls={[HEALTH]}>
      {health.expiringSecrets.length === 0 ? (
        <p class="quiet">None: no secret expires soon.</p>
      ) : (
        <DataTable
          caption="Secrets that expire"
          rows={health.expiringSecrets}
          toKey={({ secretId }) => secretId}
          columns={[
            {
              header: 'Partner',
              cell: ({ partnerUuid, partnerName }) => <a href={toPartnerPage(partnerUuid)}>{partnerName}</a>,
            },
            { header: 'Begins with', cell: ({ hint }) => <code>{hint}…</code> },
            {
              header: 'Expires',
              cell: ({ expiresAt }) => (
                <>
                  <Moment at={expiresAt} /> <ExpiryBadge expiresAt={expiresAt} />
                </>
              ),
            },
          ]}
        />
      )}
    </Panel>
  )
}

function Webhooks({ health }: { health: InstallationHealth }): JSX.Element {
  const { attention } = health.webhooks
  return (
    <Panel title="Webhooks" lead="Endpoints that accept nothing, and disabled webhooks." calls={[HEALTH]}>
      {attention.length === 0 ? (
        <p class="quiet">None: every webhook works.</p>
      ) : (
        <DataTable
          caption="Webhooks that need attention"
          rows={attention}
          toKey={({ webhookUuid }) => webhookUuid}
          columns={[
            {
              header: 'Address',
              cell: ({ url, partnerUuid }) => (
                <a class="url" href={`${toPartnerPage(partnerUuid)}#webhooks`}>
                  {url}
                </a>
              ),
            },
            {
              header: 'State',
              cell: ({ reason }) => <Badge tone="bad">{reason === null ? 'failing' : 'disabled'}</Badge>,
            },
            { header: 'Since', cell: ({ failingSince }) => <Moment at={failingSince} never="–" /> },
          ]}
        />
      )}
    </Panel>
  )
}
