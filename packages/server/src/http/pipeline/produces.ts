import type { TSchema } from 'typebox'
import { Problem } from '@portico/wire/problem'
import { AppError, type ErrorCode, ERRORS } from '../../kernel/errors.ts'
import { toCsv } from './csv.ts'
import { type ExampleRequest, toExampleProblem } from './example-problem.ts'
import { withExamples } from './openapi/example.ts'
import { text } from './openapi/response-headers.ts'
import { chooseType } from './negotiate.ts'
import { CSV_TYPE, jsonReply, type Reply, type Representation, REPRESENTATIONS } from './reply.ts'

/** The representations that a route offers. */
export interface Produces {
  /**
   * Media types of which the Accept header must allow one before the handler runs; undefined if it is not checked
   * there.
   */
  accepts: readonly string[] | undefined
  /**
   * Media types besides JSON that are sent if the Accept header prefers them. The API description lists them as an
   * extension, because client generators turn several media types into a union that callers would have to narrow.
   */
  alternatives?: readonly string[]
  /** Whether the body is generated while it is sent: the response has no ETag. */
  isLive?: true
  /** For the API description: the success and the errors of a request. */
  responses(errors: readonly ErrorCode[], request: ExampleRequest): Record<string, unknown>
}

/** The description of a success. */
interface Success {
  headers?: object
  /** Fields of the example that differ from the example of the schema. */
  example?: object
}

export const JSON_MEDIA = ['application/json', 'application/problem+json'] as const

/** JSON only; any other Accept header gets 406. */
export const json = (description: string, schema: TSchema, success: Success = {}): Produces => ({
  accepts: JSON_MEDIA,
  responses: (errors, request) => ({
    ...describeSuccess(200, description, schema, success),
    ...problems(errors, request),
  }),
})

/** JSON regardless of the Accept header: the request has already taken effect. */
export const jsonAlways = (
  status: 200 | 201 | 202,
  description: string,
  schema: TSchema,
  success: Success = {},
): Produces => ({
  accepts: undefined,
  responses: (errors, request) => ({
    ...describeSuccess(status, description, schema, success),
    ...problems(errors, request),
  }),
})

/** Header of a list that may have more pages. */
const NEXT_PAGE = {
  headers: {
    Link: text(
      'The address of the next page; absent on the last page.',
      '<https://api.example.com/v2/spaces?limit=100&cursor=eyJ…>; rel="next"',
    ),
  },
}

/** A page of a list, as JSON. */
export const page = (description: string, schema: TSchema): Produces =>
  jsonAlways(200, description, schema, NEXT_PAGE)

/** JSON or CSV: the handler calls `prefersCsv` once its parameters are checked. */
export const jsonOrCsv = (description: string, schema: TSchema, success: Success = {}): Produces =>
  negotiated(['application/json', 'text/csv'], description, schema, success)

const negotiated = (
  types: readonly string[],
  description: string,
  schema: TSchema,
  success: Success,
): Produces => ({
  accepts: undefined,
  alternatives: types.slice(1),
  responses: (errors, request) => ({
    ...describeSuccess(200, description, schema, success),
    ...problems(errors, request, notAcceptable(types)),
  }),
})

/**
 * JSON, CSV or one JSON document per line: the handler calls `chooseRepresentation` once its parameters are checked.
 */
export const jsonCsvOrNdjson = (description: string, schema: TSchema, success: Success = {}): Produces =>
  negotiated(REPRESENTATIONS, description, schema, { ...NEXT_PAGE, ...success })

/** A page of a list, as JSON or CSV. */
export const pageOrCsv = (description: string, schema: TSchema): Produces =>
  jsonOrCsv(description, schema, NEXT_PAGE)

/** Rows as NDJSON, CSV or Parquet, chosen by a parameter of the request. */
export const exported = (description: string, example: string): Produces => ({
  accepts: undefined,
  alternatives: ['text/csv', 'application/vnd.apache.parquet'],
  isLive: true,
  responses: (errors, request) => ({
    200: {
      description,
      content: {
        'application/x-ndjson': {
          schema: {
            type: 'string',
            description: 'One row on each line, and a final line with their number.',
          },
          example,
        },
      },
    },
    ...problems(errors, request, codingNotAcceptable()),
  }),
})

/** Server-sent events. */
export const eventStream = (description: string): Produces => ({
  accepts: ['text/event-stream', 'application/problem+json'],
  isLive: true,
  responses: (errors, request) => ({
    200: {
      description,
      content: {
        'text/event-stream': {
          schema: { type: 'string' },
          example:
            'id: 18235\nevent: command.updated\ndata: {"eventUuid":"…","type":"command.updated",…}\n\n',
        },
      },
    },
    ...problems(errors, request, notAcceptable(['text/event-stream'])),
  }),
})

/** No body. */
export const nothing = (description: string): Produces => ({
  accepts: undefined,
  responses: (errors, request) => ({ 204: { description }, ...problems(errors, request) }),
})

export const notAcceptable = (types: readonly string[]): AppError =>
  new AppError('not-acceptable', `Available media types: ${types.join(', ')}.`)

export const codingNotAcceptable = (): AppError =>
  new AppError('not-acceptable', 'Available content codings: br, gzip, identity.')

/** Throws `not-acceptable` if the Accept header excludes what the route produces. */
export function assertAcceptable(accepts: readonly string[] | undefined, accept: string | undefined): void {
  if (
    accepts &&
    !(accepts === JSON_MEDIA && isUsualAccept(accept)) &&
    chooseType(accept, accepts) === undefined
  )
    throw notAcceptable(accepts.slice(0, 1))
}

const isUsualAccept = (accept: string | undefined): boolean =>
  accept === undefined || accept === '*/*' || accept === 'application/json'

/** Whether the Accept header prefers CSV to JSON; throws `not-acceptable` if it excludes both. */
export function prefersCsv({ headers }: { headers: { accept?: string | undefined } }): boolean {
  if (isUsualAccept(headers.accept)) return false
  const type = chooseType(headers.accept, ['application/json', 'text/csv'])
  if (type === undefined) throw notAcceptable(['application/json', 'text/csv'])
  return type === 'text/csv'
}

/** The representation that the Accept header prefers; throws `not-acceptable` if it excludes all of them. */
export function chooseRepresentation({
  headers,
}: {
  headers: { accept?: string | undefined }
}): Representation {
  const type = chooseType(headers.accept, REPRESENTATIONS)
  if (type === undefined) throw notAcceptable(REPRESENTATIONS)
  return type
}

type Rows = readonly Readonly<Record<string, object | string | number | boolean | null | undefined>>[]

/** The body as JSON, or its rows as CSV if the Accept header prefers it. */
export const jsonOrCsvReply = (
  call: Parameters<typeof prefersCsv>[0],
  body: object,
  columns: readonly string[],
  rows: Rows,
): Reply => (prefersCsv(call) ? csvReply(toCsv(columns, rows)) : jsonReply(body))

export const csvReply = (body: string): Reply => ({ status: 200, type: CSV_TYPE, body })

const ALWAYS: ErrorCode[] = ['bad-request', 'token-invalid', 'unavailable']

const describeSuccess = (
  status: 200 | 201 | 202,
  description: string,
  schema: TSchema,
  { headers = {}, example }: Success,
): Record<string, unknown> => ({
  [status]: { description, headers, content: { 'application/json': withExamples(schema, example) } },
})

/** Every route can return the errors in ALWAYS; `default` represents errors raised before the route's own code runs. */
function problems(
  codes: readonly ErrorCode[],
  { path, errors }: ExampleRequest,
  ...own: readonly AppError[]
): Record<string, unknown> {
  const request = {
    path,
    errors: { ...errors, ...Object.fromEntries(own.map((error) => [error.code, error])) },
  }
  const problem = (code: ErrorCode, description: string = ERRORS[code].title) => ({
    description,
    content: { 'application/problem+json': { schema: Problem, example: toExampleProblem(code, request) } },
  })
  const all: Record<string, unknown> = {}
  for (const code of [...ALWAYS, ...codes, ...own.map((error) => error.code)])
    all[ERRORS[code].status] ??= problem(code)
  return { ...all, default: problem('internal', 'Any other problem') }
}
