import { V1Error } from '@portico/wire/v1/error'
import type { TSchema } from 'typebox'
import { text } from '../pipeline/openapi/response-headers.ts'
import { withExamples } from '../pipeline/openapi/example.ts'
import { EXAMPLE } from '@portico/wire/example-ids'
import { type ExampleRequest, toExampleError } from '../pipeline/example-problem.ts'
import { toV1Error } from './error.ts'
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import { IMAGE_TYPES } from '../../domain/estate/image/image.ts'

const CODES: ErrorCode[] = [
  'bad-request',
  'token-invalid',
  'forbidden',
  'not-found',
  'not-acceptable',
  'gone',
  'rate-limited',
  'unavailable',
]

const ANY_BYTES = { type: 'string', contentMediaType: 'application/octet-stream' }

const IMAGES = Object.fromEntries(IMAGE_TYPES.map((type) => [type, { schema: ANY_BYTES }]))

/** Lifecycle headers of every response, including errors. */
const LIFE = {
  Deprecation: text(
    'Date of the deprecation in seconds since 1970, such as `@1793491200`. Absent if the endpoint is not deprecated.',
    '@1793491200',
  ),
  Sunset: text(
    'Date after which the endpoint returns 410. Absent until the operator has set a date.',
    'Wed, 31 Mar 2027 00:00:00 GMT',
  ),
  Link: text(
    'The page about the deprecation (`rel="deprecation"`) and the version 2 address that replaces this request (`rel="successor-version"`), one for each metric.',
    '<https://api.example.com/deprecations>; rel="deprecation"; type="text/html"',
  ),
}

/** OpenAPI responses of a version 1 route: JSON, or an image if there is no schema. */
export function v1Responses(
  description: string,
  schema: TSchema | undefined,
  { errors }: Pick<ExampleRequest, 'errors'>,
): Record<string, unknown> {
  const error = (code: ErrorCode, text: string = ERRORS[code].title) => ({
    description: text,
    content: {
      'application/json': {
        schema: V1Error,
        example: toV1Error(errors[code] ?? toExampleError(code), EXAMPLE.traceId),
      },
    },
  })
  const good: Record<string, unknown> = {
    200: {
      description,
      headers: LIFE,
      content: schema ? { 'application/json': withExamples(schema) } : IMAGES,
    },
  }
  for (const code of CODES) good[ERRORS[code].status] ??= error(code)
  return { ...good, default: error('internal', 'Any other error') }
}
