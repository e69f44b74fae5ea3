import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { toCsv } from '../csv.ts'
import { chooseType } from '../negotiate.ts'

const JSON_TYPE = 'application/json'
const CSV_TYPE = 'text/csv'

type Rows = readonly Readonly<Record<string, object | string | number | boolean | null | undefined>>[]

/** JSON, or the rows as CSV for who asks for it. */
export function answer<T extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  body: T,
  columns: readonly string[],
  rows: Rows,
): T | string {
  return wantsCsv(request, reply) ? toCsv(columns, rows) : body
}

/** Which of both a caller likes better; undefined for who wants neither. */
const typeFor = (accept: string | undefined): string | undefined => chooseType(accept, [JSON_TYPE, CSV_TYPE])

export const likesJson = (accept: string | undefined): boolean =>
  accept === '*/*' || typeFor(accept) === JSON_TYPE

/** Sets the content type too. */
export function wantsCsv(request: FastifyRequest, reply: FastifyReply): boolean {
  const type = typeFor(request.headers.accept)
  if (type === undefined) {
    throw new AppError('not-acceptable', `This address answers ${JSON_TYPE} or ${CSV_TYPE}.`)
  }
  reply.header('content-type', `${type}; charset=utf-8`)
  return type === CSV_TYPE
}
