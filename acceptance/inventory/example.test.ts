import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../support/clients/requests.ts'
import { asObject } from '../support/json.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico, operator } = await shareDemo()

test('the example in the reference can be applied on the demo, and archives none of its records', async () => {
  const { json } = await api(portico, '/reference/documents/operator.json')
  const find = (...path: string[]): unknown =>
    path.reduce<unknown>((found, key) => asObject(found)[key], json['paths'])
  const body = find('/inventory', 'put', 'requestBody', 'content', 'application/json', 'example')
  const answer = await api(portico, '/operator/inventory?dryRun=true', {
    method: 'PUT',
    token: operator,
    body,
  })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json['created'], 4)
  assert.equal(answer.json['archived'], 0)
})
