import { type AddressFilter, toLiteralAddress } from '../../kernel/address-filter.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { MAX_URL_LENGTH } from './webhook.ts'

/**
 * Checks the address of a webhook and returns it in its normalized form. A name is not resolved here: the response
 * would reveal whether an internal name exists. Its addresses are checked with each connection.
 */
export function checkUrl(text: string, filter: AddressFilter): string {
  const url = text.length > MAX_URL_LENGTH ? null : URL.parse(text)
  if (!url || url.href.length > MAX_URL_LENGTH)
    throw invalidField('url', 'malformed', `must be a URL of at most ${MAX_URL_LENGTH} characters`)
  if (url.username !== '' || url.password !== '' || text.includes('#'))
    throw invalidField('url', 'not-allowed', 'must not contain a user, a password or a fragment')
  const isPlain = url.protocol === 'http:'
  if (url.protocol !== 'https:' && !(isPlain && filter.hasNetworks))
    throw invalidField('url', 'not-allowed', 'must start with https://')
  const literal = toLiteralAddress(url.hostname)
  const isAllowed = isPlain ? filter.isListed : filter.isAllowed
  if (literal !== undefined && !isAllowed(literal))
    throw new AppError('address-not-allowed', 'Webhooks must not be sent to this address.', {
      errors: [{ field: 'url', code: 'not-allowed', message: 'must have a public address' }],
    })
  return url.href
}
