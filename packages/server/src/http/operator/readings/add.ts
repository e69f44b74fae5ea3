import { ReadingsReport } from '@portico/wire/operator/readings'
import { NoQuery } from '@portico/wire/page'
import type { FastifyInstance } from 'fastify'
import { FORMATS } from '../../../ingest/formats.ts'
import { pieceByPiece } from '../../../ingest/piece-by-piece.ts'
import { liftBodyTimeLimit } from '../../plugins/request-context.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'

const schema = {
  operationId: 'addReadings',
  summary: 'Add readings',
  description:
    'A stream of any length: application/x-ndjson, an application/json array, or text/csv with a header line. Each record is judged alone; the answer comes when the good ones are durable. Sending the same again changes nothing.',
  tags: ['Readings'],
  consumes: Object.keys(FORMATS),
  querystring: NoQuery,
  response: responses(200, 'What became of them', ReadingsReport, 'forbidden', 'unsupported-media-type'),
}

export async function addReadings(app: FastifyInstance, { createIntake }: Services): Promise<void> {
  app.removeAllContentTypeParsers()
  // The stream itself: a delivery is never in memory as a whole.
  app.addContentTypeParser(Object.keys(FORMATS), (_request, payload, done) => done(null, payload))
  app.post('/readings', { schema }, async (request) => {
    liftBodyTimeLimit(request)
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const intake = createIntake()
    if (request.body) await FORMATS[type]?.(pieceByPiece(request.body as AsyncIterable<Uint8Array>), intake)
    return intake.finish()
  })
}
