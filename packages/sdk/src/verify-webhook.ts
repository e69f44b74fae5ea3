import type { WebhookEvent } from './event-types.ts'

/** Headers of a request, as any framework has them. */
export type HeadersLike = Headers | Record<string, string | readonly string[] | undefined>

export interface VerifyOptions {
  /** How far the time of the signature may be from now, 300 by default. */
  toleranceSeconds?: number
}

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
