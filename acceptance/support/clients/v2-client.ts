import assert from 'node:assert/strict'
import { asArray, asObject, asString, type JsonObject } from '../json.ts'
import type { Portico } from '../servers/portico.ts'
import { type Answer, type ApiRequest, api } from './requests.ts'

/** One partner on one site: every call carries the two headers of section 5 of the specification. */
export interface V2Client {
  portico: Portico
  token: string
  siteId: string
  /** A path below `{base_url}`, for example `/spaces`. */
  send(path: string, request?: ApiRequest): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** The body of a 200; any other response fails the test. */
  get(path: string): Promise<JsonObject>
  /** The records on the first page of a list. */
  list(path: string): Promise<JsonObject[]>
  /** The records of all pages of a list. */
  listAll(path: string): Promise<JsonObject[]>
}

export function v2Client(portico: Portico, token: string, siteId: string): V2Client {
  const send = (path: string, request: ApiRequest = {}): Promise<Answer> =>
    api(portico, `/v2${path}`, { token, ...request, headers: { SiteId: siteId, ...request.headers } })
  const get = async (path: string): Promise<JsonObject> => {
    const answer = await send(path)
    assert.equal(answer.status, 200, `GET ${path}: ${answer.text}`)
    return answer.json
  }
  return {
    portico,
    token,
    siteId,
    send,
    get,
    post: (path, body, headers = {}) => send(path, { method: 'POST', body, headers }),
    list: async (path) => asArray((await get(path))['data']).map(asObject),
    async listAll(path) {
      const records: JsonObject[] = []
      let more = ''
      do {
        const body = await get(`${path}?limit=500${more}`)
        records.push(...asArray(body['data']).map(asObject))
        const { nextCursor } = asObject(body['pagination'])
        more = nextCursor === null ? '' : `&cursor=${encodeURIComponent(asString(nextCursor))}`
      } while (more !== '')
      return records
    },
  }
}

/** A percent-encoded query string of these parameters. */
export function query(params: Record<string, string>): string {
  const pairs = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
