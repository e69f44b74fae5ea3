import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { api, demoToken, operatorToken } from '../support/clients/requests.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()
const headers = { SiteId: portico.demoEnv.SITE_ID }

interface Operation {
  method: string
  path: string
  parameters: JsonObject[]
}

async function loadDocument(name: string): Promise<{ operations: Operation[]; introduction: string }> {
  const { json } = await api(portico, `/reference/documents/${name}.json`)
  const operations = Object.entries(asObject(json['paths'])).flatMap(([path, item]) =>
    Object.entries(asObject(item)).map(([method, operation]) => ({
      method,
      path,
      parameters: asArray(asObject(operation)['parameters'] ?? []).map(asObject),
    })),
  )
  return { operations, introduction: asString(asObject(json['info'])['description']) }
}

const findPathParameters = ({ parameters }: Operation): JsonObject[] =>
  parameters.filter((one) => one['in'] === 'path')

/** The request that the reference sends, with the examples of all required parameters. */
const toRequestPath = (prefix: string, operation: Operation): string => {
  const path = findPathParameters(operation).reduce(
    (filled, one) => filled.replace(`{${String(one['name'])}}`, encodeURIComponent(String(one['example']))),
    `${prefix}${operation.path}`,
  )
  const query = operation.parameters
    .filter((one) => one['in'] === 'query' && one['required'] === true)
    .map((one): [string, string] => [String(one['name']), String(one['example'])])
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`
}

for (const [name, getToken] of [
  ['v2', demoToken],
  ['operator', operatorToken],
] as const) {
  describe(`the examples of ${name}`, () => {
    test('in paths exist on the demo, or the parameter names the list to take one from', async () => {
      const { operations, introduction } = await loadDocument(name)
      const token = await getToken(portico)
      const existing = new Set<unknown>()
      for (const operation of operations.filter((one) => one.method === 'get')) {
        const parameters = findPathParameters(operation)
        if (parameters.length === 0) continue
        const answer = await api(portico, toRequestPath(`/${name}`, operation), { token, headers })
        if (answer.status === 200) for (const { example } of parameters) existing.add(example)
        else assert.equal(answer.status, 404, `${operation.path}: ${answer.text}`)
      }
      assert.ok(existing.size > 0)
      const lists = new Set(operations.filter((one) => one.method === 'get').map(({ path }) => path))
      const lost = operations.flatMap((operation) =>
        findPathParameters(operation)
          .filter(({ example, description }) => {
            const [, list = ''] = /, from GET (\S+)\.( |$)/.exec(String(description)) ?? []
            return !existing.has(example) && !lists.has(list)
          })
          .map((one) => `${operation.method} ${operation.path}: ${String(one['name'])}`),
      )
      assert.deepEqual(lost, [])
      assert.match(introduction, /identifiers in the examples are those of the demo/)
    })
  })
}
