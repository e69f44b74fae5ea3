import { type Html, html } from './html.ts'

const LINKS = [
  ['/', 'Quickstart'],
  ['/console', 'Console'],
  ['/docs', 'Documentation'],
  ['/reference', 'API reference'],
  ['/errors', 'Errors'],
  ['/deprecations', 'Version 1'],
  ['/changelog', 'Changelog'],
] as const

/** A page that the navigation bar links to. */
export type PagePath = (typeof LINKS)[number][0]

/** An inline icon: browsers then do not request /favicon.ico, which does not exist. */
export const ICON = html`<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath fill='%230b8a70' d='M12 2 2 8v2h20V8zM4 11h3v8H4zm6.500 0h3v8h-3zM17 11h3v8h-3zM2 20h20v2H2z'/%3E%3C/svg%3E">`

const MARK = html`<svg width="22" height="22" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path
  d="M12 2 2 8v2h20V8zM4 11h3v8H4zm6.500 0h3v8h-3zM17 11h3v8h-3zM2 20h20v2H2z"/></svg>`

/** Contents of the navigation bar. */
export interface Navigation {
  /** Whether the web console is served. */
  hasConsole: boolean
  /** The page's own path, if the navigation bar links to it. */
  current?: PagePath
}

/** The navigation bar of every page. */
export const header = ({ hasConsole, current }: Navigation): Html => html`<header class="bar">
<a class="home" href="/">${MARK} Portico</a>
<nav aria-label="Pages">${LINKS.filter(([path]) => hasConsole || path !== '/console').map(([path, name]) =>
  path === current
    ? html`<a href="${path}" aria-current="page">${name}</a> `
    : html`<a href="${path}">${name}</a> `,
)}</nav>
</header>`
