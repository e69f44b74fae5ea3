import { createHmac } from 'node:crypto'
import type { Webhook } from './webhook.ts'

/** How long the previous secret signs as well after a rotation. */
export const SECRET_OVERLAP_MS = 24 * 3_600_000

/**
 * Separates this use of the installation key from others: no page cursor is signed with a text that starts like this,
 * and a secret has all 32 bytes of the digest, of which a cursor shows 16.
 */
const PURPOSE = 'portico webhook secret 1'

/** Secrets are derived and never stored. Changing the derivation would change every secret; a test fixes it. */
const deriveSecret = (installationKey: Uint8Array, webhookUuid: string, secretNumber: number): Buffer =>
  createHmac('sha256', installationKey).update(`${PURPOSE}\0${webhookUuid}\0${secretNumber}`).digest()

/** The secret as the partner sees it (Standard Webhooks). */
export const toSecretText = (
  installationKey: Uint8Array,
  { webhookUuid, secretNumber }: Pick<Webhook, 'webhookUuid' | 'secretNumber'>,
): string => `whsec_${deriveSecret(installationKey, webhookUuid, secretNumber).toString('base64')}`

/** The signed parts of a message: its identifier, timestamp and body. */
export interface SignedMessage {
  id: string
  timestampSeconds: number
  body: string
}

/** The header `webhook-signature`: one signature, or two after a rotation, the one of the current secret first. */
export function signMessage(
  installationKey: Uint8Array,
  webhook: Pick<Webhook, 'webhookUuid' | 'secretNumber' | 'previousEndsAt'>,
  { id, timestampSeconds, body }: SignedMessage,
  now: number,
): string {
  const { webhookUuid, secretNumber, previousEndsAt } = webhook
  const hasPrevious = previousEndsAt !== null && now < previousEndsAt
  const numbers = hasPrevious ? [secretNumber, secretNumber - 1] : [secretNumber]
  return numbers
    .map((number) => {
      const secret = deriveSecret(installationKey, webhookUuid, number)
      return `v1,${createHmac('sha256', secret).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`
    })
    .join(' ')
}
