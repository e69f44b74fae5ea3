import assert from 'node:assert/strict'
import { asString, asUuid, type JsonObject } from '../json.ts'
import { type Answer, type ApiRequest, api } from './requests.ts'
import { v1Endpoints } from '../fixtures/v1-endpoints.ts'
import type { V2Client } from './v2-client.ts'

const pathsIn = (state: string): string[] =>
  v1Endpoints.filter((endpoint) => endpoint.state === state).map(({ path }) => path)

export const replaced: [path: string, replacement: string][] = v1Endpoints.flatMap(({ path, replacement }) =>
  replacement === null ? [] : [[path, replacement]],
)
export const awaiting = pathsIn('awaiting-v2')
export const retiring = pathsIn('retiring')
export const everyPath = v1Endpoints.map(({ path }) => path)

export interface LegacyIds {
  spaceId: number
  buildingId: number
  siteId: number
}

export const fillIds = (path: string, { spaceId, buildingId, siteId }: LegacyIds): string =>
  path
    .replace('{spaceId}', String(spaceId))
    .replace('{buildingId}', String(buildingId))
    .replace('{siteId}', String(siteId))

export interface V1Client {
  send(path: string, request?: ApiRequest): Promise<Answer>
  get(path: string): Promise<JsonObject>
}

/** A version 1 client of the same partner and site. */
export function v1Client({ portico, token, siteId }: V2Client): V1Client {
  const send = (path: string, request: ApiRequest = {}): Promise<Answer> =>
    api(portico, `/v1${path}`, { token, ...request, headers: { SiteId: siteId, ...request.headers } })
  return {
    send,
    async get(path) {
      const answer = await send(path)
      assert.equal(answer.status, 200, `GET ${path}: ${answer.text}`)
      return answer.json
    },
  }
}

/** The error body of version 1: exactly three fields. */
export function assertV1Error(answer: Answer, status: number): string {
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json\b/)
  assert.equal(answer.headers.get('api-version'), '1')
  const body = answer.json
  assert.deepEqual(Object.keys(body), ['status', 'message', 'traceId'])
  assert.equal(body['status'], status)
  assert.equal(asUuid(body['traceId']), answer.headers.get('x-request-id'))
  const message = asString(body['message'])
  assert.notEqual(message, '')
  return message
}

export interface LinkTarget {
  address: string
  rel: string
}

/** The entries of a Link header. */
export function parseLinks({ headers }: Answer): LinkTarget[] {
  const entries = (headers.get('link') ?? '').matchAll(/<([^>]*)>[^,]*?;\s*rel="([^"]*)"/g)
  return [...entries].map(([, address = '', rel = '']) => ({ address, rel }))
}

export const listSuccessors = (answer: Answer): string[] =>
  parseLinks(answer).flatMap(({ address, rel }) => (rel === 'successor-version' ? [address] : []))
