import { ImportedReading, ReadingsReport } from '@portico/wire/operator/readings'
import { NoQuery } from '@portico/wire/page'
import { Type } from 'typebox'
import { FORMATS } from '../../domain/telemetry/ingest/formats.ts'
import { toExample } from '../pipeline/openapi/example.ts'
import { readMediaType } from '../pipeline/negotiate.ts'
import type { Call } from '../pipeline/call.ts'
import { streamedBody } from '../pipeline/body/read-body.ts'
import { jsonAlways } from '../pipeline/produces.ts'
import { jsonReply } from '../pipeline/reply.ts'
import { liftBodyTimeLimit } from '../pipeline/request-limits.ts'
import { defineRoute } from '../pipeline/route.ts'
import { OPERATOR_GATES } from './surface.ts'
import type { Services } from '../services.ts'

const RECORD = toExample(ImportedReading)
const HEADER = Object.keys(ImportedReading.properties).join(',')

const CONTENT = {
  'application/json': { schema: Type.Array(ImportedReading), example: [RECORD] },
  'application/x-ndjson': {
    schema: { type: 'string', description: 'One record on each line.' },
    example: `${JSON.stringify(RECORD)}\n`,
  },
  'text/csv': {
    schema: { type: 'string', description: 'A header line, then one record on each line.' },
    example: `${HEADER}\n${Object.values(RECORD as object).join(',')}\n`,
  },
}

export const addReadings = defineRoute({
  method: 'POST',
  path: '/readings',
  operationId: 'addReadings',
  summary: 'Add readings',
  description:
    'A stream of any length: application/x-ndjson, an application/json array, or text/csv with a header line. Records are validated one by one; the response is sent when the valid ones are durable. Sending the same readings again changes nothing.',
  tags: ['Readings'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  // An upload is never in memory as a whole.
  reads: streamedBody(Object.keys(FORMATS)),
  describedContent: { description: 'The readings, in one of these formats.', content: CONTENT },
  produces: jsonAlways(200, 'The number of accepted and rejected readings', ReadingsReport),
  errors: ['forbidden', 'unsupported-media-type'],
  async handle(call, { importReadings }: Pick<Services, 'importReadings'>) {
    liftBodyTimeLimit(call.request)
    return jsonReply(await importReadings(readMediaType(call.headers), call.body ? readBody(call) : noBody()))
  },
})

async function* noBody(): AsyncGenerator<Uint8Array> {}

/**
 * Chunks that have arrived together are passed on together: each takes a round trip to the thread that parses them, and
 * some clients send every line in a chunk. Leaves the connection open if the body is rejected before its end, so that
 * the response can be sent.
 */
async function* readBody({ request, response }: Pick<Call, 'request' | 'response'>): AsyncGenerator<Buffer> {
  try {
    for await (const first of request.iterator({ destroyOnReturn: false })) {
      const rest: Buffer | null = request.readableLength > 0 ? request.read(request.readableLength) : null
      yield rest ? Buffer.concat([first, rest]) : first
    }
  } finally {
    // Discards the rest of the body until the connection is closed; closing it here could lose the response.
    response.once('finish', () => request.resume())
  }
}
