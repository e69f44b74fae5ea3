import assert from 'node:assert/strict'
import { assertMatchesOpenApi } from '../oracles/openapi-conformance.ts'
import { asObject, asString, type JsonObject, parseJson } from '../json.ts'
import { type Portico, workersOfEveryServer } from '../servers/portico.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The decoded body. Accessing it fails the test if the body is not a JSON object. */
  readonly json: JsonObject
}

export interface TokenRequest {
  method?: string
  headers?: Record<string, string>
  query?: Record<string, string>
  /** Raw body, sent instead of the parameters. */
  rawBody?: string | Uint8Array<ArrayBuffer>
}

export interface ApiRequest {
  method?: string
  token?: string
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

/** The four parameters of section 4.2 of the specification, for one client. */
export function goodParameters(clientId: string, clientSecret: string): Record<string, string> {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    scope: `api://${clientId}/.default`,
    grant_type: 'client_credentials',
  }
}

/** The parameters without some of them. */
export function without(params: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
}

export function basic(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
}

/** Sends a request to the token endpoint, with the parameters as a form. */
export function requestToken(
  portico: Portico,
  params?: Record<string, string> | [string, string][],
  { method = 'POST', headers = {}, query, rawBody }: TokenRequest = {},
): Promise<Answer> {
  const form = params === undefined ? undefined : new URLSearchParams(params).toString()
  const body = rawBody ?? form
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  return send(`${portico.origin}/auth/oauth2/v2.0/token${search}`, {
    method,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    ...(body === undefined ? {} : { body }),
  })
}

/** A token for valid credentials; any other response fails the test. */
export async function tokenFor(portico: Portico, clientId: string, clientSecret: string): Promise<string> {
  const answer = await requestToken(portico, goodParameters(clientId, clientSecret))
  assert.equal(answer.status, 200, answer.text)
  return asString(answer.json['access_token'])
}

export function demoToken(portico: Portico): Promise<string> {
  return tokenFor(portico, portico.demoEnv.CLIENT_ID, portico.demoEnv.CLIENT_SECRET)
}

export function operatorToken(portico: Portico): Promise<string> {
  return tokenFor(portico, portico.demoEnv.OPERATOR_CLIENT_ID, portico.demoEnv.OPERATOR_CLIENT_SECRET)
}

/** Sends a request to any path of the server, for example `/v2/sites`. */
export async function api(portico: Portico, path: string, request: ApiRequest = {}): Promise<Answer> {
  const { method = 'GET', token, body } = request
  const headers: Record<string, string> = {}
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  const answer = await send(`${portico.origin}${path}`, {
    method,
    headers: { ...headers, ...request.headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  await assertMatchesOpenApi(portico.origin, method, path, answer)
  return answer
}

export async function send(address: string, init: RequestInit = {}): Promise<Answer> {
  const headers = new Headers(init.headers)
  // fetch requests a compressed body by default, most backends do not; tests of compression set the header.
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity')
  // A connection stays with one worker; over a new one, each request may reach another.
  if (workersOfEveryServer() !== undefined) headers.set('connection', 'close')
  const attempt = (): Promise<Response> => fetch(address, { redirect: 'manual', ...init, headers })
  let response = await attempt()
  // On a machine that stalled, a server can mistake a request that is waiting to be read for one that never arrived.
  // Such a request had no effect, so a client may repeat it (RFC 9110, section 15.5.9).
  for (let repeats = 0; response.status === 408 && repeats < 5; repeats += 1) {
    await response.arrayBuffer()
    response = await attempt()
  }
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json(): JsonObject {
      return asObject(parseJson(text))
    },
  }
}
