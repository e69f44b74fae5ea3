import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { api, type ApiRequest } from '../support/clients/requests.ts'
import { requiredQuery } from '../support/fixtures/routes.ts'
import { asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { addClient } from '../support/servers/installation.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'
import { toText } from './snippets.ts'

const installation = await shareDemo()
const { portico, client } = installation

/** What is the same in an example and in a response. */
const comparable = (body: JsonObject): JsonObject => {
  const { title, status, detail, instance, errors } = body
  return { code: asString(body['type']).replace(/.*\//, ''), title, status, detail, instance, errors }
}

describe('the examples of /errors are real responses', async () => {
  const { text } = await api(portico, '/errors')
  const examples = new Map(
    [...text.matchAll(/aria-label="Body of ([\w-]+)"><code>(.*?)<\/code>/gs)].map(
      ([, code = '', body = '']) => [code, asObject(parseJson(toText(body)))],
    ),
  )
  const BACKWARDS = '?fromDateTime=2026-01-02&toDateTime=2026-01-01'
  const requests: Record<string, { query?: string; request?: ApiRequest }> = {
    'validation-error': { query: BACKWARDS },
    'missing-site-id': { request: { headers: { SiteId: '' } } },
    'not-measured': {},
    'not-controllable': { request: { method: 'POST', body: { type: 'resume' } } },
    'bad-request': { request: { method: 'POST', body: '{' } },
    'uri-too-long': { query: `?${'x'.repeat(9000)}` },
    'not-acceptable': { request: { headers: { Accept: 'image/png' } } },
  }
  for (const [code, { query = '', request = {} }] of Object.entries(requests))
    test(code, async () => {
      const example = asObject(examples.get(code))
      const path = asString(example['instance']).replace(/^\/v2/, '')
      const { json } = await client.send(`${path}${query}`, request)
      assert.deepEqual(comparable(json), comparable(example))
    })

  test('410 has the form of version 1', () => {
    assert.deepEqual(Object.keys(asObject(examples.get('gone'))), ['status', 'message', 'traceId'])
  })

  test('the codes of fields are listed', async () => {
    const { text: schedule } = await client.post(
      `/devices/${asString(asObject(examples.get('bad-request'))['instance']).split('/')[3]}/schedule`,
      { type: 'boost', durationMinutes: 1000, colour: 'red', failIfOffline: 'yes' },
    )
    const codes = [...schedule.matchAll(/"code":"([\w-]+)"/g)].map(([, code = '']) => code)
    assert.ok(codes.length >= 3, schedule)
    for (const code of [...codes, 'malformed', 'required', 'not-allowed', 'off-step'])
      assert.ok(text.includes(`<td><code>${code}</code></td>`), code)
  })
})

describe('the examples of errors in the API description are real responses', async () => {
  const { json: document } = await api(portico, '/openapi/v2.json')
  const visitor = await addClient(installation, [client.siteId], [])
  const operations = Object.entries(asObject(document['paths'])).flatMap(([path, item]) => {
    const { get } = asObject(item)
    return get === undefined ? [] : [{ path, operation: asObject(get) }]
  })

  const exampleOf = (operation: JsonObject, status: string): JsonObject | undefined => {
    const response = asObject(operation['responses'])[status]
    if (response === undefined) return undefined
    return asObject(asObject(asObject(asObject(response)['content'])['application/problem+json'])['example'])
  }

  for (const { path, operation } of operations) {
    const hasSite = JSON.stringify(operation['parameters']).includes('"SiteId"')
    const query = requiredQuery(path)
    const forbidden = exampleOf(operation, '403')
    if (forbidden && 'x-required-role' in operation)
      test(`403 of GET ${path}`, async () => {
        const instance = asString(forbidden['instance'])
        const { json } = await visitor.send(`${instance.replace(/^\/v2/, '')}${query}`)
        assert.deepEqual(comparable(json), comparable(forbidden))
      })

    const bad = exampleOf(operation, '400')
    if (bad)
      test(`400 of GET ${path}`, async () => {
        const instance = asString(bad['instance']).replace(/^\/v2/, '')
        const { json } = hasSite
          ? await client.send(`${instance}${query}`, { headers: { SiteId: '' } })
          : await client.send(`${instance}?colour=red`)
        assert.deepEqual(comparable(json), comparable(bad))
      })

    const missing = exampleOf(operation, '404')
    if (missing && hasSite)
      test(`404 of GET ${path}`, async () => {
        const instance = asString(missing['instance'])
        const other = instance.replace(/[0-9a-f-]{36}(?!.*[0-9a-f-]{36})/, randomUUID())
        const field = /Some of (\w+)/.exec(asString(missing['detail']))?.[1]
        const list = field === undefined ? '' : `${query === '' ? '?' : '&'}${field}=${randomUUID()}`
        const { json } = await client.send(`${other.replace(/^\/v2/, '')}${query}${list}`)
        assert.deepEqual(comparable(json), { ...comparable(missing), instance: other })
      })
  }
})
