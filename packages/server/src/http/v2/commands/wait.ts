import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Type } from 'typebox'
import { stopwatch } from '../../../kernel/clock.ts'
import { matchesIfNoneMatch, toReplyEtag } from '../../pipeline/conditional-get.ts'
import type { WithCaller, WithSite } from '../../pipeline/gates.ts'
import { parsePreferWait } from '../../pipeline/prefer-wait.ts'
import { JSON_TYPE, type Reply } from '../../pipeline/reply.ts'
import type { Services } from '../../services.ts'

/** The header by which a client asks the server to wait for a change. */
export const WaitHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({
      description:
        'wait=N: with If-None-Match, the server waits up to N seconds (at most 30) until the response differs.',
      examples: ['wait=30'],
    }),
  ),
})

interface WaitingCall extends WithCaller, WithSite {
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
}

/**
 * Responds with what `load` returns. If the client has it already and asks the server to wait, it waits until the
 * response differs or the time is up. Returns undefined if the client closed the connection.
 */
export async function replyAfterChange(
  { headers, response, caller, site }: WaitingCall,
  { commandWatch, health }: Pick<Services, 'commandWatch' | 'health'>,
  deviceUuid: string,
  load: () => Promise<object>,
): Promise<Reply | undefined> {
  const seconds = parsePreferWait(headers['prefer'])
  const condition = headers['if-none-match']
  const loadReply = async () => {
    const body = JSON.stringify(await load())
    return { status: 200, type: JSON_TYPE, body }
  }
  const first = await loadReply()
  if (seconds === undefined || condition === undefined) return first
  const { siteUuid } = site.site
  const subscription = commandWatch.subscribe(`${caller.partnerUuid} ${siteUuid}`, siteUuid, deviceUuid)
  if (!subscription) return first
  const deadline = stopwatch() + seconds * 1000
  const onClose = (): void => subscription.end()
  response.once('close', onClose)
  try {
    let reply = first
    while (matchesIfNoneMatch(condition, toReplyEtag(reply.body, headers['accept-encoding']))) {
      const left = deadline - stopwatch()
      if (left <= 0 || !health.isReady()) break
      await subscription.next(left)
      if (response.destroyed) return undefined
      reply = await loadReply()
    }
    return { ...reply, headers: ['preference-applied', 'wait'] }
  } finally {
    response.off('close', onClose)
    subscription.end()
  }
}
