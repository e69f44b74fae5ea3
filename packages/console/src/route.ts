import { signal } from '@preact/signals'
import type { VNode } from 'preact'

export type Params = Readonly<Record<string, string>>

export type RenderPage = (params: Params) => VNode

/** A page of the console and the addresses that it handles. */
export interface PageRoute {
  /** `/console/{site}/spaces`: a name in braces matches one segment. */
  pattern: string
  /** Loads the code of the page; not needed if it is part of the first file. */
  load?: () => Promise<RenderPage>
  render?: RenderPage
}

/** The address of the page that is shown. */
export const address = signal({ path: location.pathname, search: location.search })

/** Increases with every navigation, so that focus moves to the new page's heading. */
export const visits = signal(0)

export function navigate(href: string, { replace = false } = {}): void {
  const url = new URL(href, location.href)
  history[replace ? 'replaceState' : 'pushState'](null, '', url)
  update()
  if (url.hash) requestAnimationFrame(() => goTo(url.hash.slice(1)))
  else if (!replace) scrollTo(0, 0)
}

/** Moves to a part of the page, as a browser does for a link to it. */
function goTo(id: string): void {
  const part = document.getElementById(id)
  part?.scrollIntoView()
  part?.focus({ preventScroll: true })
}

/** Changes the query of the address without a new entry in the history: a filter, for example. */
export function setQuery(changes: Record<string, string | undefined>): void {
  const url = new URL(location.href)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  history.replaceState(null, '', url)
  address.value = { path: url.pathname, search: url.search }
}

export const getQuery = (name: string): string | undefined =>
  new URLSearchParams(address.value.search).get(name) ?? undefined

function update(): void {
  address.value = { path: location.pathname, search: location.search }
  visits.value += 1
}

/** Handles clicks on links within the console without reloading the page. */
export function followLinks(): void {
  addEventListener('popstate', update)
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin)
      return
    if (!/^\/console(\/|$)/.test(link.pathname)) return
    event.preventDefault()
    navigate(link.href)
  })
}

function matchPath(pattern: string, path: string): Params | undefined {
  const expected = pattern.split('/')
  const actual = path.replace(/\/+$/, '').split('/')
  if (expected.length !== actual.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const segment = actual[index]
    if (segment === undefined) return undefined
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    if (name !== undefined) params[name] = decodeURIComponent(segment)
    else if (part !== segment) return undefined
  }
  return params
}

export function findPage(
  routes: readonly PageRoute[],
  path: string,
): { route: PageRoute; params: Params } | undefined {
  for (const route of routes) {
    const params = matchPath(route.pattern, path)
    if (params) return { route, params }
  }
  return undefined
}
