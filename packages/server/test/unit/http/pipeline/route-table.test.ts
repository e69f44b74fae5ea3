import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listParameters, RouteTable } from '../../../../src/http/pipeline/route-table.ts'

function createTable(...patterns: string[]): (path: string) => [string | undefined, ...string[]] {
  const table = new RouteTable<string>()
  for (const pattern of patterns) table.at(pattern, () => pattern)
  return (path) => {
    const parameters: string[] = []
    return [table.find(path, parameters), ...parameters]
  }
}

test('a path matches literal segments and parameters', () => {
  const find = createTable('/', '/a', '/a/{id}', '/a/{id}/x/{name}')
  assert.deepEqual(find('/'), ['/'])
  assert.deepEqual(find('/a'), ['/a'])
  assert.deepEqual(find('/a/1'), ['/a/{id}', '1'])
  assert.deepEqual(find('/a/1/x/2'), ['/a/{id}/x/{name}', '1', '2'])
  for (const path of ['/b', '/a/1/x', '/a/1/y/2', '/a/1/x/2/', '//a', '*', ''])
    assert.deepEqual(find(path), [undefined], path)
})

test('a literal takes precedence, but a parameter matches if the rest of the path does not', () => {
  const find = createTable('/a/latest', '/a/{id}', '/a/latest/x', '/a/{id}/y')
  assert.deepEqual(find('/a/latest'), ['/a/latest'])
  assert.deepEqual(find('/a/other'), ['/a/{id}', 'other'])
  assert.deepEqual(find('/a/latest/y'), ['/a/{id}/y', 'latest'])
})

test('segments are decoded one by one', () => {
  const find = createTable('/a/{id}')
  assert.deepEqual(find('/%61/%2F%25'), ['/a/{id}', '/%'])
  assert.deepEqual(find('/a%2Fb'), [undefined])
  assert.throws(() => find('/a/%zz'), URIError)
  assert.throws(() => find('/%zz/b'), URIError)
})

test('the names of parameters are listed in order', () => {
  assert.deepEqual(listParameters('/a/{first}/b/{second}'), ['first', 'second'])
})
