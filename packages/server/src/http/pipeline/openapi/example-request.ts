import type { TSchema } from 'typebox'
import { AppError, type ErrorCode, notFound } from '../../../kernel/errors.ts'
import type { ExampleRequest } from '../example-problem.ts'
import { missingSiteId, requiresRole, siteNotGranted } from '../gates.ts'
import type { Route } from '../route.ts'
import { createValidator, requireValid } from '../validate.ts'
import { type ExampleSchema, toExample } from './example.ts'

type Errors = Partial<Record<ErrorCode, AppError>>

/** A request of the route, for the examples of its errors. `basePath` is the path of the API. */
export const toExampleRequest = (route: Route, basePath: string): ExampleRequest => ({
  path: `${basePath}${fillPath(route)}`,
  errors: {
    ...toBadRequest(route),
    ...toForbidden(route),
    ...toNotFound(route.path),
    ...Object.fromEntries((route.exampleErrors ?? []).map((error) => [error.code, error])),
  },
})

const fillPath = ({ path, params, describedParams }: Route): string => {
  const { properties = {} } = { ...(describedParams ?? params) } as ExampleSchema
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(toExample(properties[name] ?? {})))
}

/** A route without a body cannot have an invalid one: its 400 is about the SiteId header or the query. */
function toBadRequest({ body, describedBody, describedContent, gates, query }: Route): Errors {
  if (body ?? describedBody ?? describedContent) return {}
  return { 'bad-request': gates.some(({ isSite }) => isSite) ? missingSiteId() : unknownParameter(query) }
}

function unknownParameter(query: TSchema): AppError {
  try {
    requireValid(createValidator(query), { colour: 'red' }, 'query')
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('Every query rejects unknown parameters.')
}

function toForbidden({ gates }: Route): Errors {
  const name = gates.flatMap((gate) => gate.role ?? [])[0]
  if (name !== undefined) return { forbidden: requiresRole(name) }
  return gates.some(({ isSite }) => isSite) ? { forbidden: siteNotGranted() } : {}
}

/** The last record that the path names: a secret in `/partners/{partnerUuid}/secrets/{secretId}`. */
function toNotFound(path: string): Errors {
  const [, collection, parameter] = [...path.matchAll(/(\w+)\/\{(\w+?)(?:uuid|id)\}/gi)].at(-1) ?? []
  if (collection === undefined || parameter === undefined) return {}
  return { 'not-found': notFound(toSingular(collection) ?? parameter) }
}

/** Undefined if the word is not a plural. */
const toSingular = (word: string): string | undefined =>
  word.endsWith('s') ? word.replace(/ies$/, 'y').replace(/s$/, '') : undefined
