import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import {
  createTargetParser,
  type ParsedText,
  type RequestTarget,
} from '../../../../src/http/pipeline/request-target.ts'
import { createValidator, type Validator } from '../../../../src/http/pipeline/validate.ts'

const createParser = (): ((url: string) => RequestTarget<string>) =>
  createTargetParser((path) => ({ endpoint: `endpoint of ${path}`, params: { path } }))

const allow = (...names: string[]): Validator =>
  createValidator(
    Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String())])), {
      additionalProperties: false,
    }),
  )

const validate = (text: ParsedText<object>, validator: Validator): void =>
  text.requireValid(validator, 'query', (value) => value)

test('a target has a path without query and fragment, and the parameters of the query', () => {
  const parse = createParser()
  const { path, query } = parse('/a/b?x=1&y=a%20b&x=2')
  assert.equal(path.text, '/a/b')
  assert.deepEqual(path.value, { endpoint: 'endpoint of /a/b', params: { path: '/a/b' } })
  assert.deepEqual({ ...query.value }, { x: ['1', '2'], y: 'a b' })
  assert.equal(parse('/a#b?c').path.text, '/a')
  assert.deepEqual({ ...parse('/a').query.value }, {})
})

test('a valid path or query is parsed once, for all requests that contain it', () => {
  const parse = createParser()
  const first = parse('/a?x=1')
  validate(first.query, allow('x'))
  first.path.requireValid(allow('path'), 'path', ({ params }) => params)
  assert.equal(parse('/b?x=1').query, first.query)
  assert.equal(parse('/a?x=2').path, first.path)
  assert.notEqual(parse('/a?x=2').query, first.query)
})

test('a query that was not validated, or is invalid, is not cached', () => {
  const parse = createParser()
  const { query } = parse('/a?x=1')
  assert.notEqual(parse('/a?x=1').query, query)
  assert.throws(() => validate(query, allow('y')), /query is invalid/)
  assert.notEqual(parse('/a?x=1').query, query)
})

test('a query that is valid for one route is validated for another', () => {
  const { query } = createParser()('/a?x=1')
  validate(query, allow('x'))
  assert.throws(() => validate(query, allow('y')), /query is invalid/)
})

test('parts of a long target are not cached', () => {
  const parse = createParser()
  const url = `/a?x=${'1'.repeat(300)}`
  const { path, query } = parse(url)
  validate(query, allow('x'))
  path.requireValid(allow('path'), 'path', ({ params }) => params)
  assert.notEqual(parse(url).query, query)
  assert.notEqual(parse(url).path, path)
})
