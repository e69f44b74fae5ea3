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

/** Compiles a schema to a validator whose running time and number of errors are bounded for any request. */
export function createValidator(schema: object): Validate {
  compilers ??= { first: build(false), all: build(true) }
  const { first, all } = compilers
  const route = { schema, method: '', url: '' }
  const validateFirst = first(route)
  // Compiled for the first invalid request: compiling it for every route would slow down the start. The other one is
  // compiled here, because the first compilation blocks the event loop for 40 ms.
  let validateAll: Validate | undefined
  const validate: Validate = (value: unknown) => {
    if (validateFirst(value) === true) return true
    validate.errors = validateFirst.errors ?? []
    if (!hasMoreValues(value, MAX_VALUES_WITH_ALL_ERRORS)) {
      validateAll ??= all(route)
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
