import { type Html, html } from './html.ts'
import type { V1State } from '../../domain/v1-lifecycle/catalogue.ts'
import type { EndpointLifecycle } from '../../domain/v1-lifecycle/lifecycle.ts'
import type { Blackout } from '../../domain/v1-lifecycle/store.ts'
import { ready } from '../pipeline/gates.ts'
import { definePage } from '../pipeline/route.ts'
import { DEPRECATION_PAGE } from '../v1/retirement.ts'
import type { Services } from '../services.ts'
import { renderPage, toPageReply } from './layout.ts'

const GROUPS: [state: V1State, title: string, text: string][] = [
  ['replaced', 'Available in version 2', 'Use the version 2 address; it returns the same values.'],
  [
    'awaiting-v2',
    'Coming to version 2',
    'Keep using these endpoints: a later release of version 2 will replace them.',
  ],
  ['retiring', 'Ending', 'Version 2 will not have these endpoints. Use another source, or remove the calls.'],
]

const WIDE = html`
  main, footer { max-width: 60rem; }
  @media (max-width: 48rem) {
    thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--line); }
    td { display: block; padding: .15rem 0; border: 0; }
    td code { overflow-wrap: anywhere; }
    td + td { padding-left: 1rem; }
    td:not(:first-child):not(:last-child)::before { content: "→ "; color: var(--quiet); }
    td:last-child { color: var(--quiet); }
  }
`

/** Target of the deprecation links of version 1. */
export const deprecationPage = definePage(
  DEPRECATION_PAGE,
  [ready],
  async (
    _call,
    {
      lifecycle,
      supportContact,
      clock,
      hasConsole,
    }: Pick<Services, 'lifecycle' | 'supportContact' | 'clock' | 'hasConsole'>,
  ) => {
    const lives = await lifecycle.list()
    const now = clock.now()
    const page = renderPage(
      'Version 1',
      html`<h1>Retirement of version 1</h1>
        <p>Version 1 is being retired. The headers of each response name its replacement (<code>Link</code>), the date of its deprecation
          (<code>Deprecation</code>) and, once it is set, its end date (<code>Sunset</code>).</p>
        ${GROUPS.map(([state, title, text]) => renderGroup(lives, now, state, title, text))}
        <p>The <a href="/docs/migration">migration guide</a> shows how to move each call. Questions? Contact
          <strong>${supportContact}</strong>.</p>`,
      { hasConsole, current: '/deprecations', style: WIDE },
    )
    return toPageReply(page)
  },
)

const renderGroup = (
  lives: readonly EndpointLifecycle[],
  now: number,
  state: V1State,
  title: string,
  text: string,
): Html =>
  html`<h2>${title}</h2><p>${text}</p>
<div class="table" tabindex="0" role="group" aria-label="${title}"><table>
<thead><tr><th>Version 1</th>${state === 'replaced' ? html`<th>Version 2</th>` : ''}<th>Ends</th></tr></thead>
<tbody>${lives.filter(({ endpoint }) => endpoint.state === state).map((life) => renderItem(life, now))}</tbody></table></div>`

const renderItem = (
  { endpoint: { path, replacement }, sunsetAt, blackouts }: EndpointLifecycle,
  now: number,
): Html => {
  const then = replacement === null ? html`` : html`<td><code>GET /v2${replacement}</code></td>`
  const end =
    sunsetAt === null ? 'no date yet' : `${sunsetAt <= now ? 'ended on' : 'until'} ${toIsoDate(sunsetAt)}`
  const rehearsals = blackouts.filter(({ to }) => to > now).map(renderBlackout)
  return html`<tr><td><code>GET /v1${path}</code></td>${then}<td>${end}${rehearsals}</td></tr>`
}

const renderBlackout = ({ from, to }: Blackout): Html =>
  html`<br>switched off from ${toIsoMinute(from)} to ${toIsoMinute(to)} to rehearse its retirement`

const toIsoDate = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Formats a time such as 2027-02-01 09:00 UTC. */
const toIsoMinute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
