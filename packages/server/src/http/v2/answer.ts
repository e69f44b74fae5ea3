import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Series } from '../../aggregate/point.ts'
import { AppError } from '../../errors.ts'
import { SERIES_COLUMNS, toCsv } from '../csv.ts'
import { chooseType } from '../negotiate.ts'
import { siteOf } from '../plugins/site-scope.ts'
import { type SeriesHead, seriesText, toWirePoints } from './series-convert.ts'

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

/** A series of the request's site, as JSON or its windows as CSV. */
export function answerSeries(
  request: FastifyRequest,
  reply: FastifyReply,
  head: SeriesHead,
  series: Series,
): string {
  const { zone } = siteOf(request)
  return wantsCsv(request, reply)
    ? toCsv(SERIES_COLUMNS, toWirePoints(zone, series.points))
    : seriesText(head, zone, series)
}

function wantsCsv(request: FastifyRequest, reply: FastifyReply): boolean {
  const type = chooseType(request.headers.accept, [JSON_TYPE, CSV_TYPE])
  if (type === undefined) {
    throw new AppError('not-acceptable', `This address answers ${JSON_TYPE} or ${CSV_TYPE}.`)
  }
  reply.header('content-type', `${type}; charset=utf-8`)
  return type === CSV_TYPE
}
