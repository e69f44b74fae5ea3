import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Account } from '@portico/sdk'
import { pausedUntil, v2 } from './api.ts'
import { ErrorNote, Skeleton } from './components/states.tsx'
import { Page } from './components/page.tsx'
import { ACCOUNT_PAGES, type NavGroup, OPERATOR_GROUPS, toSitePages } from './nav.ts'
import { OPERATOR_PAGES } from './operator/pages.tsx'
import { PARTNER_PAGES } from './partner/pages.tsx'
import { useCall } from './resource.ts'
import { address, findPage, navigate, type PageRoute, type Params, type RenderPage, visits } from './route.ts'
import { getToken, hasRole, isOperator, isTokenPasted, session } from './session.ts'
import { TokenForm } from './token-form.tsx'

const PAGES: readonly PageRoute[] = [...OPERATOR_PAGES, ...PARTNER_PAGES]

/** Loads the code of the first page while the session is being checked. */
export function preloadPage(): void {
  findPage(PAGES, location.pathname)
    ?.route.load?.()
    .catch(() => {})
}

/** Obtains the session, then shows navigation and page. */
export function Frame(): JSX.Element {
  const failure = useSignal<Error | undefined>(undefined)
  useEffect(() => {
    getToken().catch((error: unknown) => {
      failure.value = error as Error
    })
  }, [])
  if (failure.value)
    return (
      <main class="content">
        <Page title="Console">
          <ErrorNote error={failure.value} retry={() => location.reload()} />
        </Page>
      </main>
    )
  if (!session.value && isTokenPasted)
    return (
      <main class="content">
        <TokenForm />
      </main>
    )
  if (!session.value)
    return (
      <main class="content">
        <Skeleton rows={6} label="Signing in" />
      </main>
    )
  return (
    <div class="console">
      <Sidebar />
      <main class="content" id="content">
        <PauseBar />
        <CurrentPage />
      </main>
    </div>
  )
}

function CurrentPage(): JSX.Element {
  const { path } = address.value
  const isHome = path.replace(/\/+$/, '') === '/console'
  // An account with only the role Operator has no partner overview.
  const isRedirected = isHome && isOperator() && !hasPartnerRole()
  useEffect(() => {
    if (isRedirected) navigate('/console/operator', { replace: true })
  }, [isRedirected])
  const found = findPage(PAGES, path)
  if (isRedirected) return <Skeleton rows={6} label="Loading the page" />
  if (!found)
    return (
      <Page title="Page not found">
        <p>
          The console has no page at this address. <a href="/console">Go to the overview</a>.
        </p>
      </Page>
    )
  return <LoadedPage key={path} {...found} />
}

/** Pages whose code has been loaded. */
const loadedPages = new Map<PageRoute, RenderPage>()

function LoadedPage({ route, params }: { route: PageRoute; params: Params }): JSX.Element {
  const [, update] = useState(false)
  const [failure, setFailure] = useState<Error>()
  const render = route.render ?? loadedPages.get(route)
  useEffect(() => {
    if (render || !route.load) return
    const show = (page: RenderPage): void => {
      loadedPages.set(route, page)
      update(true)
    }
    route.load().then(show, setFailure)
  }, [route])
  if (failure) return <ErrorNote error={failure} retry={() => location.reload()} />
  return render ? <div>{render(params)}</div> : <Skeleton rows={6} label="Loading the page" />
}

const hasPartnerRole = (): boolean => session.value?.roles.some((role) => role !== 'Operator') ?? false

const WIDE = matchMedia('(min-width: 60rem)')

/** The menu beside the page is always open; above it, on a narrow screen, it closes with every navigation. */
function useMenu(): { isOpen: boolean; setOpen: (isOpen: boolean) => void } {
  const [isOpen, setOpen] = useState(WIDE.matches)
  const reset = (): void => setOpen(WIDE.matches)
  useEffect(() => {
    WIDE.addEventListener('change', reset)
    return () => WIDE.removeEventListener('change', reset)
  }, [])
  useEffect(reset, [visits.value])
  return { isOpen, setOpen }
}

function Sidebar(): JSX.Element {
  const isPartner = hasPartnerRole()
  const { isOpen, setOpen } = useMenu()
  return (
    <aside class="sidebar">
      <details class="menu" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Menu</summary>
        {isOperator() && OPERATOR_GROUPS.map((group) => <NavList key={group.name} {...group} />)}
        {isPartner && <PartnerNav />}
        <div class="identity">
          <p>
            <span class="quiet">Signed in as</span>
            <strong>{session.value?.partner.name}</strong>
          </p>
          {!isTokenPasted && (
            <form method="post" action="/console/session/end">
              <button class="button small">Sign out</button>
            </form>
          )}
        </div>
      </details>
    </aside>
  )
}

function PartnerNav(): JSX.Element {
  const account = useCall<Account>(v2('GET', '/account'), { refreshMs: 0 })
  const inPath = /^\/console\/([0-9a-f-]{36})(\/|$)/.exec(address.value.path)?.[1]
  const sites = account.data?.sites ?? []
  const site = sites.find(({ siteUuid }) => siteUuid === inPath) ?? sites[0]
  return (
    <>
      <NavList name="Account" items={ACCOUNT_PAGES} />
      {site && (
        <>
          <label class="site-choice">
            <span class="nav-heading">Site</span>
            <select
              value={site.siteUuid}
              onChange={({ currentTarget }) => navigate(`/console/${currentTarget.value}/spaces`)}
            >
              {sites.map(({ siteUuid, siteName }) => (
                <option key={siteUuid} value={siteUuid}>
                  {siteName}
                </option>
              ))}
            </select>
          </label>
          <NavList name={site.siteName} items={toSitePages(site.siteUuid)} isHeadingHidden />
        </>
      )}
    </>
  )
}

function NavList({ name, items, isHeadingHidden }: NavGroup & { isHeadingHidden?: boolean }): JSX.Element {
  const { path } = address.value
  const isCurrent = (href: string): boolean =>
    path === href || (!['/console', '/console/operator'].includes(href) && path.startsWith(`${href}/`))
  return (
    <nav aria-label={name}>
      {!isHeadingHidden && <p class="nav-heading">{name}</p>}
      <ul>
        {items
          .filter(({ role }) => role === undefined || hasRole(role))
          .map(({ href, name }) => (
            <li key={href}>
              <a href={href} aria-current={isCurrent(href) ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  )
}

/** Counts down while the rate limit of the console is used up. */
function PauseBar(): JSX.Element | null {
  const [now, setNow] = useState(Date.now())
  const until = pausedUntil.value
  useEffect(() => {
    if (until <= Date.now()) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [until])
  const seconds = Math.ceil((until - Math.max(now, Date.now())) / 1000)
  if (seconds <= 0) return null
  return (
    <p class="pause-bar" role="status">
      The console has used its requests for this minute and continues in {seconds} s.
    </p>
  )
}
