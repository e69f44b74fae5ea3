import type { Account } from './types.ts'

const WARN_DAYS = 30
const DAY_MS = 86_400_000

/** The time at which the last secret of an account expires, if that is within 30 days. */
export function findEarlyExpiry({ secrets }: Account): Date | undefined {
  const present = Date.now()
  const ends = secrets.map(({ expiresAt }) => Date.parse(expiresAt))
  const last = Math.max(...ends.filter((end) => end > present))
  return last > present && last < present + WARN_DAYS * DAY_MS ? new Date(last) : undefined
}

export function warnBeforeExpiry(account: Account, warn: (message: string) => void): void {
  const expiry = findEarlyExpiry(account)
  if (!expiry) return
  const days = Math.ceil((expiry.getTime() - Date.now()) / DAY_MS)
  const date = expiry.toISOString().slice(0, 10)
  const span = days === 1 ? 'within a day' : `in ${days} days`
  warn(`The client secret of ${account.name} expires on ${date}, ${span}, and there is no newer one.`)
}
