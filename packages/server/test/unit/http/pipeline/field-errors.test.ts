import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FORM } from '@portico/wire/about'
import { Type } from 'typebox'
import { OPERATOR_ROUTES } from '../../../../src/http/operator/routes.ts'
import { createValidator } from '../../../../src/http/pipeline/validate.ts'
import { V1_ROUTES } from '../../../../src/http/v1/surface.ts'
import { V2_ROUTES } from '../../../../src/http/v2/routes.ts'

const routes = [...V2_ROUTES, ...V1_ROUTES, ...OPERATOR_ROUTES]

interface AnySchema {
  pattern?: string
  format?: string
}

function* findPatterns(schema: unknown): Generator<AnySchema> {
  if (typeof schema !== 'object' || schema === null) return
  const own: AnySchema = schema
  if (typeof own.pattern === 'string' && own.format === undefined) yield own
  for (const inner of Object.values(schema)) yield* findPatterns(inner)
}

describe('the message about a malformed value', () => {
  for (const { method, path, params, query, body, headers } of routes) {
    const patterns = [params, query, body, headers].flatMap((schema) => [...findPatterns(schema)])
    if (patterns.length === 0) continue
    test(`is in words: ${method} ${path}`, () => {
      for (const schema of patterns) {
        // No pattern allows this character.
        const [error] = createValidator(Type.Unsafe(schema)).listErrors('\u0000')
        const text = error?.message ?? ''
        assert.match(text, /^must be (a|an|one|the|text) /, path)
        assert.doesNotMatch(text, /\.$/)
      }
    })
  }

  test('names the bounds of a number in a query', () => {
    const limit = routes.find(({ path }) => path === '/spaces')?.query
    assert.ok(limit)
    const [error] = createValidator(limit).listErrors({ limit: '0' })
    assert.deepEqual(error, {
      field: 'limit',
      code: 'malformed',
      message: 'must be a whole number from 1 to 1000',
    })
  })

  test('uses the words of the schema', () => {
    const day = Type.String({ pattern: '^x$', [FORM]: 'an x' })
    const [error] = createValidator(Type.Object({ day })).listErrors({ day: 'y' })
    assert.equal(error?.message, 'must be an x')
  })
})
