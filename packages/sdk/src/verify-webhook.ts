import type { WebhookEvent } from './event-types.ts'
import type { HeadersLike, VerifyOptions } from './verify-signature.ts'

/**
 * Verifies the signature of a webhook (Standard Webhooks) and returns its event. Throws a `WebhookError` otherwise.
 *
 * @param body the raw body: text or bytes, not a parsed object
 * @param secret the `whsec_…` of the webhook; several during a rotation
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secret: string | readonly string[] | undefined,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  // Most programs call the API and receive no webhooks.
  const { verifySignature } = await import('./verify-signature.ts')
  return verifySignature(body, headers, secret, options)
}
