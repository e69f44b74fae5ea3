const BASE = 'http://console.invalid'
const HOME = '/console'
const MAX_LENGTH = 2_000

/** Addresses that do something, or that only make sense before signing in. */
const NOT_PAGES = ['/console/sign-in', '/console/enter', '/console/session', '/console/token']

/** The address to go to after signing in: a page of the console, whatever was requested. */
export function toNextPage(text: string | null | undefined): string {
  if (text === null || text === undefined || text.length > MAX_LENGTH || !text.startsWith('/')) return HOME
  const address = URL.parse(text, BASE)
  // Resolved as browsers do, so that `//host`, `/\host` and dot segments cannot lead elsewhere.
  if (address?.origin !== BASE) return HOME
  const { pathname, search } = address
  if (pathname !== HOME && !pathname.startsWith(`${HOME}/`)) return HOME
  return NOT_PAGES.includes(pathname) ? HOME : `${pathname}${search}`
}
