import type { JSX } from 'preact'
import { operator } from '../api.ts'
import { CommandBadge } from '../components/badge.tsx'
import { Figures } from '../components/figures.tsx'
import { Moment } from '../components/moment.tsx'
import { Page } from '../components/page.tsx'
import { Panel, ResourceContent } from '../components/panel.tsx'
import { ShowCall } from '../components/show-call.tsx'
import { DataTable } from '../components/table.tsx'
import { formatCount } from '../format.ts'
import { useCall } from '../resource.ts'
import { findConcerns, toVerdict } from './concerns.ts'
import { toPartnerPage, toSitePage } from './names.ts'
import { PresenceBar } from './presence.tsx'
import { ExpiryBadge } from './secrets.tsx'
import type { Health } from './types.ts'

const HEALTH = operator('GET', '/health')

export function OverviewPage(): JSX.Element {
  const health = useCall<Health>(HEALTH)
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

function Verdict({ health }: { health: Health }): JSX.Element {
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

function KeyFigures({ health }: { health: Health }): JSX.Element {
  const { ingest, devices, rejected, commands, webhooks, secrets } = health
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
  const offline = sum(devices.map((site) => site.offline))
  const online = sum(devices.map((site) => site.online))
  const refused = sum(rejected.map(({ count }) => count))
  return (
    <Figures
      figures={[
        {
          name: 'Readings a minute',
          value: formatCount(ingest.readingsPerMinute),
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
          note: 'readings',
          href: '/docs/operations',
        },
        {
          name: 'Devices online',
          value: formatCount(online),
          note: `${formatCount(offline)} offline`,
          tone: offline > 0 ? 'warning' : 'neutral',
          href: '/console/operator/sites',
        },
        {
          name: 'Rejected, last hour',
          value: formatCount(refused),
          note: 'messages',
          tone: refused > 0 ? 'warning' : 'neutral',
          href: '/console/operator/rejected',
        },
        {
          name: 'Commands today',
          value: formatCount(sum(commands.map(({ count }) => count))),
          href: '/console/operator/commands',
        },
        {
          name: 'Failing webhooks',
          value: formatCount(webhooks.length),
          tone: webhooks.length > 0 ? 'bad' : 'neutral',
          href: '/console/operator/webhooks?state=failing',
        },
        {
          name: 'Secrets that expire',
          value: formatCount(secrets.length),
          note: 'within 30 days',
          tone: secrets.length > 0 ? 'warning' : 'neutral',
          href: '/console/operator/partners',
        },
        {
          name: 'Version 1 calls',
          value: formatCount(health.v1Calls),
          note: 'in 24 hours',
          href: '/console/operator/v1',
        },
      ]}
    />
  )
}

function Sites({ health }: { health: Health }): JSX.Element {
  return (
    <Panel title="Devices" lead="By site." calls={[HEALTH]}>
      <DataTable
        caption="Devices by site"
        rows={health.devices}
        toKey={({ siteUuid }) => siteUuid}
        columns={[
          {
            header: 'Site',
            cell: ({ siteUuid, siteName }) => <a href={toSitePage(siteUuid)}>{siteName}</a>,
          },
          { header: 'Devices', cell: (site) => <PresenceBar presence={site} /> },
        ]}
      />
    </Panel>
  )
}

function Commands({ health }: { health: Health }): JSX.Element {
  return (
    <Panel title="Commands" lead="Accepted today, by state." calls={[HEALTH]}>
      {health.commands.length === 0 ? (
        <p class="quiet">No partner has sent a command today.</p>
      ) : (
        <DataTable
          caption="Commands today, by state"
          rows={health.commands}
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
            { header: 'Commands', cell: ({ count }) => formatCount(count), isNumber: true },
          ]}
        />
      )}
    </Panel>
  )
}

function Rejected({ health }: { health: Health }): JSX.Element {
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
            { header: 'Messages', cell: ({ count }) => formatCount(count), isNumber: true },
          ]}
        />
      )}
    </Panel>
  )
}

function Secrets({ health }: { health: Health }): JSX.Element {
  return (
    <Panel title="Expiring secrets" lead="Within 30 days." calls={[HEALTH]}>
      {health.secrets.length === 0 ? (
        <p class="quiet">None: no secret expires soon.</p>
      ) : (
        <DataTable
          caption="Secrets that expire"
          rows={health.secrets}
          toKey={({ partnerUuid, hint }) => `${partnerUuid} ${hint}`}
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

function Webhooks({ health }: { health: Health }): JSX.Element {
  return (
    <Panel title="Failing webhooks" lead="Endpoints that accept nothing." calls={[HEALTH]}>
      {health.webhooks.length === 0 ? (
        <p class="quiet">None: every webhook works.</p>
      ) : (
        <DataTable
          caption="Failing webhooks"
          rows={health.webhooks}
          toKey={({ webhookUuid }) => webhookUuid}
          columns={[
            {
              header: 'Address',
              cell: ({ url }) => <a href="/console/operator/webhooks?state=failing">{url}</a>,
            },
            {
              header: 'Partner',
              cell: ({ partnerUuid, partnerName }) => <a href={toPartnerPage(partnerUuid)}>{partnerName}</a>,
            },
            { header: 'Since', cell: ({ failingSince }) => <Moment at={failingSince} /> },
          ]}
        />
      )}
    </Panel>
  )
}
