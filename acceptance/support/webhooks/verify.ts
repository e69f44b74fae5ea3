import { Webhook } from 'standardwebhooks'
import type { ReceivedRequest } from './receiver.ts'

/** Verifies like the reference implementation, at the time of the request. */
export function verifies(secret: string, { text, headers }: ReceivedRequest): boolean {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  // The clock of the server may be ahead; the library compares the timestamp with that of this process.
  const realNow = Date.now
  Date.now = () => Number(signed['webhook-timestamp']) * 1_000
  try {
    new Webhook(secret).verify(text, signed)
    return true
  } catch {
    return false
  } finally {
    Date.now = realNow
  }
}
