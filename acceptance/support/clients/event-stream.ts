import assert from 'node:assert/strict'
import { asObject, asString, type JsonObject, parseJson } from '../json.ts'
import type { V2Client } from './v2-client.ts'

/** One message of a stream of server-sent events. */
export interface StreamMessage {
  id: number | undefined
  event: string
  data: JsonObject
}

export interface EventStream {
  response: Response
  /** The messages that have arrived so far. */
  messages: StreamMessage[]
  /** The number of comments that have arrived so far. */
  readonly comments: number
  /** Resolves when the server has ended the stream or the connection is lost. */
  ended: Promise<void>
  close(): void
}

/** Opens `GET /v2/events/stream`. The connection must be closed by the test, or by the server. */
export async function openEventStream(
  { portico, token, siteId }: V2Client,
  { query = '', lastEventId }: { query?: string; lastEventId?: number } = {},
): Promise<EventStream> {
  const abort = new AbortController()
  const response = await fetch(`${portico.origin}/v2/events/stream${query}`, {
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${token}`,
      siteid: siteId,
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
  })
  const messages: StreamMessage[] = []
  let comments = 0
  const read = async (): Promise<void> => {
    let text = ''
    for await (const bytes of response.body ?? assert.fail('a stream without a body')) {
      text += Buffer.from(bytes).toString('utf8')
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        if (block.startsWith(':')) comments += 1
        else messages.push(parseMessage(block))
      }
    }
  }
  return {
    response,
    messages,
    get comments() {
      return comments
    },
    ended: response.status === 200 ? read().catch(() => {}) : Promise.resolve(),
    close: () => abort.abort(),
  }
}

function parseMessage(block: string): StreamMessage {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const end = line.indexOf(': ')
      return [line.slice(0, end), line.slice(end + 2)]
    }),
  )
  const id = fields.get('id')
  return {
    id: id === undefined ? undefined : Number(id),
    event: asString(fields.get('event')),
    data: asObject(parseJson(asString(fields.get('data')))),
  }
}
