import { GoneError, Portico, type PorticoOptions, type SiteEventType } from '../index.ts'

export interface ListenOptions {
  /** The local address that events are posted to. */
  forward: string
  types?: readonly SiteEventType[] | undefined
  /** Number of the event to start after; new events only if absent. */
  after?: number | undefined
  signal?: AbortSignal | undefined
  client?: PorticoOptions | undefined
}

const FORWARD_TIMEOUT_MS = 15_000

/** Follows the events of the site and posts each to a local address, signed as a webhook. Runs until it is stopped. */
export async function runListen(print: (line: string) => void, options: ListenOptions): Promise<void> {
  const { forward, types, signal } = options
  const { events } = new Portico(options.client).site()
  const key = crypto.getRandomValues(new Uint8Array(32))
  const after = options.after ?? (await events.newest({ types }, { signal }))
  print(`Signing secret of this run: whsec_${encodeBase64(key)}`)
  print(`Forwarding events after number ${after} to ${forward}`)
  try {
    for await (const event of events.follow({ after, types }, { signal })) {
      const body = JSON.stringify(event)
      const headers = await sign(event.eventUuid, body, key)
      print(`${event.number} ${event.type} ${await post(forward, body, headers, signal)}`)
    }
  } catch (error) {
    if (error instanceof GoneError)
      print(
        'Events after that number are no longer kept: start again without --after, or with a later number.',
      )
    throw error
  }
}

const encodeBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** The headers of a webhook (Standard Webhooks), as the server sends it. */
async function sign(
  id: string,
  body: string,
  secret: Uint8Array<ArrayBuffer>,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signature = encodeBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, content)))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(FORWARD_TIMEOUT_MS)
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    await response.arrayBuffer()
    return `-> ${response.status} in ${Math.round(performance.now() - startedAt)} ms`
  } catch (error) {
    const { cause } = error as { cause?: { code?: unknown } }
    return `-> not delivered: ${String(cause?.code ?? error)}`
  }
}
