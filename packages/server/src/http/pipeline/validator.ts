import AjvCompiler from '@fastify/ajv-compiler'
import type { FastifySchemaCompiler } from 'fastify'

type Compile = FastifySchemaCompiler<unknown>
export type Validate = ReturnType<Compile>

/** Nothing is converted: "true" is not a boolean, and unknown fields are errors. */
const OPTIONS = { coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true } as const

/**
 * The number of values up to which all errors of a request part are reported. For a larger one, only the first is: Ajv
 * either stops at the first error or collects all of them, and a body of 64 KiB can have 80,000, which takes a second.
 */
const MAX_VALUES_WITH_ALL_ERRORS = 2_000

const build = (allErrors: boolean): Compile => AjvCompiler()({}, { customOptions: { ...OPTIONS, allErrors } })

let compilers: { first: Compile; all: Compile } | undefined

/**
 * A validator whose running time and number of errors are bounded for any request. It is compiled for its first request:
 * compiling those of all routes would take a quarter of the start.
 */
export function createValidator(schema: object): Validate {
  const route = { schema, method: '', url: '' }
  let validateFirst: Validate | undefined
  let validateAll: Validate | undefined
  const validate: Validate = (value: unknown) => {
    compilers ??= { first: build(false), all: build(true) }
    validateFirst ??= compilers.first(route)
    if (validateFirst(value) === true) return true
    validate.errors = validateFirst.errors ?? []
    if (!hasMoreValues(value, MAX_VALUES_WITH_ALL_ERRORS)) {
      validateAll ??= compilers.all(route)
      if (validateAll(value) === false) validate.errors = validateAll.errors ?? []
    }
    return false
  }
  return validate
}

/** Whether a parsed document has more than `max` values; stops counting there. */
export function hasMoreValues(document: unknown, max: number): boolean {
  const pending = [document]
  let count = 1
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Array.isArray(value) ? value : Object.values(value)) {
      count += 1
      if (count > max) return true
      pending.push(inner)
    }
  }
  return false
}
