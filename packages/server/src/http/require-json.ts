import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { chooseType } from './negotiate.ts'

/** For answers that are JSON only. */
export function requireJson(request: FastifyRequest): void {
  if (chooseType(request.headers.accept, ['application/json', 'application/problem+json']) === undefined) {
    throw new AppError('not-acceptable', 'This address answers application/json.')
  }
}
