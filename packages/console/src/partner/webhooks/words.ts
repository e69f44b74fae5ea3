import type { Webhook, WebhookDelivery } from '@portico/sdk'
import type { Tone } from '../../components/badge.tsx'
import { plural } from '../../format.ts'

/** The state of a webhook in a word, and why in a sentence. */
export function describeWebhook({ state, reason, failingSince }: Webhook): {
  name: string
  tone: Tone
  text: string
} {
  if (state === 'disabled')
    return { name: 'disabled', tone: 'bad', text: DISABLED[reason ?? ''] ?? 'The webhook is disabled.' }
  if (state === 'paused')
    return { name: 'paused', tone: 'neutral', text: 'You have paused it. Events wait until you resume it.' }
  if (failingSince !== null)
    return {
      name: 'failing',
      tone: 'warning',
      text: 'The endpoint does not accept requests. Events wait, and the server tries one request at a time.',
    }
  return { name: 'enabled', tone: 'good', text: 'Events are delivered as they happen.' }
}

const DISABLED: Readonly<Record<string, string>> = {
  failing: 'No request succeeded for five days. Enable it again when the endpoint works.',
  gone: 'The endpoint returned 410 Gone. Enable it again when the endpoint works.',
  operator: 'The operator has disabled it. Ask the operator before you enable it again.',
}

/** Why a request failed, in words. */
const ERRORS: Readonly<Record<string, string>> = {
  'connection-failed': 'The connection failed.',
  'tls-failed': 'The TLS handshake failed: check the certificate.',
  timeout: 'There was no response within 15 seconds.',
  'address-not-allowed': 'The address is not public, and the operator has not allowed its network.',
  'too-large': 'The headers of the response are larger than 16 KB.',
  status: 'The status of the response was not 2xx.',
}

export const describeFailure = (error: string): string => ERRORS[error] ?? error

const DELIVERY_TONES: Readonly<Record<string, Tone>> = { waiting: 'info', delivered: 'good', failed: 'bad' }

export const toDeliveryTone = ({ state }: Pick<WebhookDelivery, 'state'>): Tone =>
  DELIVERY_TONES[state] ?? 'neutral'

export const describeTypes = ({ eventTypes }: Pick<Webhook, 'eventTypes'>): string =>
  eventTypes === null ? 'All types' : eventTypes.join(', ')

export const describeSites = ({ siteUuids }: Pick<Webhook, 'siteUuids'>): string =>
  siteUuids === null ? 'All sites' : plural(siteUuids.length, 'site')
