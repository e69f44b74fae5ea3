import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Type } from 'typebox'
import { stopwatch } from '../../kernel/clock.ts'
import { matchesIfNoneMatch, toReplyEtag } from '../pipeline/conditional-get.ts'
import type { WithCaller, WithSite } from '../pipeline/gates.ts'
import { parsePreferWait } from '../pipeline/prefer-wait.ts'
import { type HeaderList, JSON_TYPE, type Reply } from '../pipeline/reply.ts'
import type { Services } from '../services.ts'

/** The header with which a client requests to wait for a change. */
export const waitHeaders = (condition: string) =>
  Type.Object({
    prefer: Type.Optional(
      Type.String({
        description: `wait=N: ${condition}, the server waits up to N seconds (at most 30) until the response differs.`,
        examples: ['wait=30'],
      }),
    ),
  })

export const WaitHeaders = waitHeaders('with If-None-Match')

export interface WaitingCall extends WithCaller, WithSite {
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
  waitedMs: number
}

export type WaitServices = Pick<Services, 'eventWatch' | 'waitingSlots' | 'health'>

interface Waited<T> {
  value: T
  /** Response headers that state whether the server would have waited. */
  headers: HeaderList
}

/**
 * Returns the result of `load`. If the client has that result already and requests a wait, waits for events of the
 * site, or of one device, until the result has changed or the time is up. Returns undefined if the client closed the
 * connection.
 */
export async function waitForChange<T>(
  call: WaitingCall,
  { eventWatch, waitingSlots, health }: WaitServices,
  deviceUuid: string | undefined,
  load: () => Promise<T>,
  isUnchanged: (value: T) => boolean,
): Promise<Waited<T> | undefined> {
  const { headers, response, caller, site } = call
  const seconds = parsePreferWait(headers['prefer'])
  let value = await load()
  if (seconds === undefined) return { value, headers: [] }
  const { siteUuid } = site.site
  const free = waitingSlots.acquire(`${caller.partnerUuid} ${siteUuid}`)
  if (!free) return { value, headers: [] }
  const subscription = eventWatch.subscribe(siteUuid, deviceUuid)
  const deadline = stopwatch() + seconds * 1000
  const onClose = (): void => subscription.end()
  response.once('close', onClose)
  try {
    while (isUnchanged(value)) {
      const now = stopwatch()
      if (now >= deadline || !health.isReady()) break
      await subscription.next(deadline - now)
      call.waitedMs += stopwatch() - now
      if (response.destroyed) return undefined
      value = await load()
    }
    return { value, headers: ['preference-applied', 'wait'] }
  } finally {
    response.off('close', onClose)
    subscription.end()
    free()
  }
}

/** Responds with the result of `load`; a client that has it already may request to wait until it differs. */
export async function replyAfterChange(
  call: WaitingCall,
  services: WaitServices,
  deviceUuid: string,
  load: () => Promise<object>,
): Promise<Reply | undefined> {
  const { 'if-none-match': condition, 'accept-encoding': accepted } = call.headers
  const loadReply = async (): Promise<{ status: number; type: string; body: string }> => ({
    status: 200,
    type: JSON_TYPE,
    body: JSON.stringify(await load()),
  })
  if (condition === undefined) return loadReply()
  const isUnchanged = ({ body }: { body: string }): boolean =>
    matchesIfNoneMatch(condition, toReplyEtag(body, accepted))
  const waited = await waitForChange(call, services, deviceUuid, loadReply, isUnchanged)
  return waited && { ...waited.value, headers: waited.headers }
}
