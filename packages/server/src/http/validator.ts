import AjvCompiler from '@fastify/ajv-compiler'
import type { FastifySchemaCompiler } from 'fastify'

type Compile = FastifySchemaCompiler<unknown>
type Validate = ReturnType<Compile>

/** Nothing is converted: "true" is no boolean, an unknown field no field. */
const OPTIONS = { coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true } as const

/**
 * Values that a part of a request may have for all its errors to be listed. In a larger one only the first is named: Ajv
 * either stops at the first error or collects all of them, and a body of 64 KiB can have 80,000, which takes a second.
 */
const MAX_VALUES_WITH_ALL_ERRORS = 2_000

const build = (allErrors: boolean): Compile => AjvCompiler()({}, { customOptions: { ...OPTIONS, allErrors } })

/** Compiles schemas to validators whose time and number of errors are bounded, whatever is wrong with a request. */
export function createValidatorCompiler(): Compile {
  const compileFirst = build(false)
  const compileAll = build(true)
  return (route) => {
    const validateFirst = compileFirst(route)
    // Compiled for the first invalid request only: a start compiles the schemas of every route.
    let validateAll: Validate | undefined
    const validate: Validate = (value: unknown) => {
      validate.errors = null
      if (validateFirst(value) === true) return true
      validate.errors = validateFirst.errors ?? []
      if (!hasMoreValues(value, MAX_VALUES_WITH_ALL_ERRORS)) {
        validateAll ??= compileAll(route)
        if (validateAll(value) === false) validate.errors = validateAll.errors ?? []
      }
      return false
    }
    return validate
  }
}

/** Whether a parsed document has more than `max` values, counted no further than that. */
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
