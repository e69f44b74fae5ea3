import {
  type Account,
  ApiError,
  ConfigurationError,
  ConnectionError,
  CredentialsError,
  Portico,
  PorticoError,
  type PorticoOptions,
} from '../index.ts'
import { findEarlyExpiry } from '../expiry.ts'

/** Remedies for errors of the token endpoint. */
const REMEDIES: Record<number, string> = {
  700016: 'The issuer does not know PORTICO_CLIENT_ID. Was it created on this installation?',
  7000112: 'The client is disabled. Ask the operator to enable it.',
  7000215:
    'PORTICO_CLIENT_SECRET is wrong. A common mistake is to use the id of the secret instead of its value.',
  7000222: 'The secret has expired. Ask the operator for a new one.',
}

const CLOCK_TOLERANCE_S = 60

/**
 * Tries everything that a partner’s program depends on, and prints what is wrong. Returns whether all checks passed.
 */
export async function runCheck(
  print: (line: string) => void,
  options: PorticoOptions = {},
): Promise<boolean> {
  let isWell = true
  const pass = (text: string): void => print(`ok    ${text}`)
  const fail = (text: string): void => {
    isWell = false
    print(`FAIL  ${text}`)
  }
  const warn = (text: string): void => print(`warn  ${text}`)
  try {
    const portico = new Portico({ maxRetries: 0, warnBeforeExpiry: false, ...options })
    pass('the settings are complete')
    const { data: account, response, rateLimit } = await portico.account().withResponse()
    pass(`the credentials are those of ${account.name} (${account.clientId})`)
    checkClock(response.headers, { pass, warn })
    checkSecrets(account, { pass, warn })
    if (account.sites.length === 0) fail('no site is granted to you; ask the operator')
    else
      pass(`sites: ${account.sites.map(({ siteName, siteUuid }) => `${siteName} (${siteUuid})`).join(', ')}`)
    if (account.roles.length === 0) fail('no role is granted to you; ask the operator')
    else pass(`roles: ${account.roles.join(', ')}`)
    const { perMinute, per5Minutes } = account.rateLimits
    pass(`rate limit: ${perMinute} requests a minute, ${per5Minutes} in five minutes, for each site`)
    await checkSite(portico, account, { pass, warn, fail })
    if (rateLimit?.remaining === 0) warn('the rate limit is used up at the moment')
  } catch (error) {
    fail(explain(error))
  }
  return isWell
}

type Report = Record<'pass' | 'warn' | 'fail', (text: string) => void>

function checkClock(headers: Headers, { pass, warn }: Pick<Report, 'pass' | 'warn'>): void {
  const seconds = Math.round((Date.now() - Date.parse(headers.get('date') ?? '')) / 1000)
  if (Number.isNaN(seconds)) return
  if (Math.abs(seconds) <= CLOCK_TOLERANCE_S) return pass('the clock agrees with that of the server')
  warn(
    `the clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the server: calls work, but webhooks may be rejected`,
  )
}

function checkSecrets(account: Account, { pass, warn }: Pick<Report, 'pass' | 'warn'>): void {
  const expiry = findEarlyExpiry(account)
  if (expiry) warn(`the newest secret expires on ${expiry.toISOString().slice(0, 10)}; ask for another one`)
  else pass('no secret expires within 30 days')
}

async function checkSite(
  portico: Portico,
  { sites, roles }: Account,
  { pass, warn, fail }: Report,
): Promise<void> {
  let site
  try {
    site = portico.site()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    warn(`${error.message}. Sites are passed to portico.site() then.`)
    return
  }
  const granted = sites.find(({ siteUuid }) => siteUuid === site.siteId)
  if (!granted)
    return fail(`the site ${site.siteId} of PORTICO_SITE_ID is not granted to you, or does not exist`)
  const list = roles.includes('Spaces.Read')
    ? site.spaces
    : roles.includes('Devices.Read')
      ? site.devices
      : undefined
  if (!list) return warn('neither Spaces.Read nor Devices.Read is granted to you, so no data was read')
  await list.list({ limit: 1 }).page()
  pass(`${granted.siteName} can be read`)
}

function explain(error: unknown): string {
  if (error instanceof CredentialsError) {
    const remedy = error.aadsts === undefined ? undefined : REMEDIES[error.aadsts]
    return remedy === undefined ? error.message : `${remedy}\n      ${error.message}`
  }
  if (error instanceof ConnectionError)
    return `${error.message}. Is the address right, and does a proxy or firewall allow it?`
  if (error instanceof ApiError && error.status === 404)
    return `${error.message}. Does PORTICO_BASE_URL end in /v2?`
  return error instanceof PorticoError ? error.message : String(error)
}
