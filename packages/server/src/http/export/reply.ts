import { Readable } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import { EXPORT_FORMATS, type RowBatch } from '../../domain/telemetry/export/format.ts'
import type { Snapshots } from '../../domain/telemetry/export/store.ts'
import { startThreadEncoder, type ThreadEncoder } from '../../domain/telemetry/export/thread-encoder.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import { AppError, NotReadyError } from '../../kernel/errors.ts'
import type { Reply } from '../pipeline/reply.ts'
import type { Chargeable } from '../pipeline/rate-limit.ts'
import type { RouteServices } from '../pipeline/route.ts'
import type { PreparedExport } from './prepared-export.ts'

export type ExportServices = Pick<RouteServices, 'exports' | 'health' | 'openSnapshots' | 'requestLimits'>

interface ExportCall extends Chargeable {
  readonly caller: Client
  readonly request: IncomingMessage
}

/** Units of the rate limit. */
const COST = 10

/** Bytes that wait for the connection, besides those of the connection itself. */
const BUFFER_BYTES = 256 * 1024

const CHECK_INTERVAL_MS = 250

/** Responds with an export, which is read while it is sent. */
export async function exportReply(
  call: ExportCall,
  services: ExportServices,
  siteUuid: string,
  prepared: PreparedExport,
): Promise<Reply> {
  const { format } = prepared.options
  const reply = { status: 200, type: EXPORT_FORMATS[format] }
  // The length is unknown, and without chunks the end of the connection is the end of the body.
  if (call.request.httpVersion === '1.0' && format === 'csv')
    throw new AppError(
      'bad-request',
      'An export as CSV needs HTTP/1.1: with HTTP/1.0, a truncated response looks complete.',
    )
  if (call.request.method === 'HEAD') return { ...reply, body: undefined }
  const leave = services.exports.enter(call.caller.partnerUuid, siteUuid)
  try {
    await services.requestLimits.consumeRest(call, COST)
  } catch (error) {
    leave()
    throw error
  }
  const chunks = encode(prepared, services.openSnapshots)
  const body = Readable.from(chunks, { objectMode: false, highWaterMark: BUFFER_BYTES })
  // An export may take longer than a stopping server waits for requests.
  const checks = setInterval(() => {
    if (!services.health.isReady()) body.destroy(new NotReadyError(services.health.reasons()[0]))
  }, CHECK_INTERVAL_MS).unref()
  body.once('close', () => {
    clearInterval(checks)
    leave()
  })
  return { ...reply, body }
}

async function* encode(
  { options, read }: PreparedExport,
  openSnapshots: () => Snapshots,
): AsyncGenerator<Uint8Array> {
  await using snapshots = openSnapshots()
  const encoder = startThreadEncoder(options)
  try {
    yield* encodeAhead(encoder, read(snapshots))
  } finally {
    encoder.close()
  }
}

/** While a batch is encoded, the next one is read. */
async function* encodeAhead(
  encoder: ThreadEncoder,
  batches: AsyncIterable<RowBatch>,
): AsyncGenerator<Uint8Array> {
  let encoding: Promise<Uint8Array> | undefined
  for await (const batch of batches) {
    const next = encoder.add(batch)
    // Awaited in the next round; until then, a rejection must not count as unhandled.
    next.catch(() => {})
    const bytes = await encoding
    encoding = next
    if (bytes && bytes.length > 0) yield bytes
  }
  const bytes = await encoding
  if (bytes && bytes.length > 0) yield bytes
  yield await encoder.end()
}
