import type { V1State } from '../../domain/v1-lifecycle/catalogue.ts'
import type { EndpointLifecycle } from '../../domain/v1-lifecycle/lifecycle.ts'
import type { Blackout } from '../../domain/v1-lifecycle/store.ts'
import { ready } from '../pipeline/gates.ts'
import { MARKDOWN_TYPE } from '../pipeline/reply.ts'
import { definePage, type RunnableRoute } from '../pipeline/route.ts'
import { DEPRECATION_PAGE } from '../v1/retirement.ts'
import type { Services } from '../services.ts'
import { type Html, html } from './html.ts'
import { markdownLink, renderPage, toPageReply } from './layout.ts'
import { STACKED_TABLES } from './style.ts'

interface Group {
  state: V1State
  title: string
  text: string
}

const GROUPS: Group[] = [
  {
    state: 'replaced',
    title: 'Available in version 2',
    text: 'Use the version 2 address; for the same range, it returns the same values.',
  },
  {
    state: 'awaiting-v2',
    title: 'Coming to version 2',
    text: 'Keep using these endpoints: a later release of version 2 will replace them.',
  },
  {
    state: 'retiring',
    title: 'Ending',
    text: 'Version 2 will not have these endpoints. Use another source, or remove the calls.',
  },
]

const WIDE = html`${STACKED_TABLES}
  main, footer { max-width: 60rem; }
  @media (max-width: 48rem) {
    td:not(:first-child):not(:last-child)::before { content: "→ "; color: var(--quiet); }
    td:last-child { color: var(--quiet); }
  }
`

type DeprecationServices = Pick<
  Services,
  'addresses' | 'lifecycle' | 'supportContact' | 'clock' | 'hasConsole'
>

/** Target of the deprecation links of version 1, as a page and as Markdown. */
export const DEPRECATION_ROUTES: RunnableRoute[] = [
  definePage(DEPRECATION_PAGE, [ready], async (_call, services: DeprecationServices) => {
    const { supportContact, hasConsole } = services
    const groups = await loadGroups(services)
    const page = renderPage(
      'Version 1',
      html`<h1>Retirement of version 1</h1>
        <p>Version 1 is being retired. The headers of each response name its replacement (<code>Link</code>), the date of its deprecation
          (<code>Deprecation</code>) and, once it is set, its end date (<code>Sunset</code>).</p>
        ${groups.map(renderGroup)}
        <p>The <a href="/docs/migration">migration guide</a> shows how to move each call. Questions? Contact
          <strong>${supportContact}</strong>.</p>
        ${markdownLink(`${DEPRECATION_PAGE}.md`)}`,
      { hasConsole, current: '/deprecations', style: WIDE },
    )
    return toPageReply(page)
  }),
  definePage(`${DEPRECATION_PAGE}.md`, [ready], async (_call, services: DeprecationServices) => {
    const { addresses, supportContact } = services
    const groups = await loadGroups(services)
    const body = `# Retirement of version 1

Version 1 is being retired. The headers of each response name its replacement (\`Link\`), the date of its deprecation
(\`Deprecation\`) and, once it is set, its end date (\`Sunset\`).

${groups.map(toMarkdown).join('\n')}
The [migration guide](${addresses.publicUrl}/docs/migration.md) shows how to move each call. Questions? Contact
**${supportContact}**.
`
    return { status: 200, type: MARKDOWN_TYPE, headers: ['cache-control', 'no-cache'], body }
  }),
]

interface Row {
  path: string
  replacement: string | null
  /** When the endpoint ends, and then when it is switched off as a rehearsal. */
  dates: string[]
}

type GroupWithRows = Group & { rows: Row[] }

async function loadGroups({ lifecycle, clock }: DeprecationServices): Promise<GroupWithRows[]> {
  const lives = await lifecycle.list()
  const now = clock.now()
  return GROUPS.map((group) => ({
    ...group,
    rows: lives.filter(({ endpoint }) => endpoint.state === group.state).map((life) => toRow(life, now)),
  }))
}

const toRow = (
  { endpoint: { path, replacement, interval }, sunsetAt, blackouts }: EndpointLifecycle,
  now: number,
): Row => ({
  path: `GET /v1${path}`,
  replacement:
    replacement === null ? null : `GET /v2${replacement}${interval ? `?interval=${interval}` : ''}`,
  dates: [
    sunsetAt === null ? 'no date yet' : `${sunsetAt <= now ? 'ended on' : 'until'} ${toIsoDate(sunsetAt)}`,
    ...blackouts.filter(({ to }) => to > now).map(describeBlackout),
  ],
})

const describeBlackout = ({ from, to }: Blackout): string =>
  `switched off from ${toIsoMinute(from)} to ${toIsoMinute(to)} to rehearse its retirement`

const renderGroup = ({ state, title, text, rows }: GroupWithRows): Html =>
  html`<h2>${title}</h2><p>${text}</p>
<div class="table" tabindex="0" role="group" aria-label="${title}"><table>
<thead><tr><th>Version 1</th>${state === 'replaced' ? html`<th>Version 2</th>` : ''}<th>Ends</th></tr></thead>
<tbody>${rows.map(renderRow)}</tbody></table></div>`

const renderRow = ({ path, replacement, dates: [end = '', ...rehearsals] }: Row): Html =>
  html`<tr><td><code>${path}</code></td>${replacement === null ? '' : html`<td><code>${replacement}</code></td>`}<td>${end}${rehearsals.map(
    (rehearsal) => html`<br>${rehearsal}`,
  )}</td></tr>`

const toMarkdown = ({ state, title, text, rows }: GroupWithRows): string => `## ${title}

${text}

${state === 'replaced' ? '| Version 1 | Version 2 | Ends |\n|---|---|---|' : '| Version 1 | Ends |\n|---|---|'}
${rows
  .map(({ path, replacement, dates }) =>
    [`| \`${path}\``, ...(replacement === null ? [] : [`\`${replacement}\``]), `${dates.join('; ')} |`].join(
      ' | ',
    ),
  )
  .join('\n')}
`

const toIsoDate = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Formats a time such as 2027-02-01 09:00 UTC. */
const toIsoMinute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
