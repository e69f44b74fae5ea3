import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../kernel/errors.ts'
import { findJsonExcess, type JsonExcess, MAX_JSON_DEPTH, MAX_JSON_VALUES } from './json-bounds.ts'

const EXCESS: Record<JsonExcess, () => AppError> = {
  depth: () =>
    new AppError('bad-request', `The request body is nested more than ${MAX_JSON_DEPTH} levels deep.`),
  values: () =>
    new AppError('payload-too-large', `The request body has more than ${MAX_JSON_VALUES} values.`),
}

/**
 * Installs Fastify's JSON parser behind a check: a body that is nested too deeply or has too many values is not
 * parsed.
 */
export function boundedJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    const excess = findJsonExcess(text)
    if (excess) done(EXCESS[excess]())
    else void parse(request, text, done)
  })
}
