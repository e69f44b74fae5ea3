import { setTimeout as delay } from 'node:timers/promises'
import { type Remote, REMOTE_SETTINGS } from '@portico/server/config/remote'
import { AppError, type ErrorCode, ERRORS, type FieldError } from '@portico/server/kernel/errors'
import { OperatorError } from '@portico/server/operator/operator'

/** Requests to the operator API with a token that is requested once and renewed when it has expired. */
export interface ApiSession {
  /**
   * Sends a body as JSON unless `type` is given. Waits up to a minute if a rate limit is exceeded. Returns the body of
   * the response, or undefined if it has none.
   */
  call<T>(method: string, path: string, body?: unknown, type?: string): Promise<T>
  /**
   * The body of a response as it arrives. If the server is at its limit of exports, waits until it accepts the request.
   */
  stream(path: string): AsyncGenerator<Uint8Array>
}

/** `note` tells the user that the session waits. */
export function createApiSession(remote: Remote, note: (line: string) => void): ApiSession {
  let token: Promise<string> | undefined
  const request: Request = (path, init) =>
    withinRateLimit(() => sendRequest(remote.url, path, init), note, remote.url)

  const send = async (method: string, path: string, body: unknown, type: string): Promise<Response> => {
    const authorization = `Bearer ${await (token ??= requestToken(remote, request))}`
    return request(`/operator${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: toBytes(body) }),
    })
  }

  const sendRenewing = async (
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Response> => {
    const response = await send(method, path, body, type)
    if (response.status !== 401) return response
    token = undefined
    return send(method, path, body, type)
  }

  return {
    async *stream(path) {
      let response = await sendRenewing('GET', path)
      while (response.status === 429) {
        await response.body?.cancel()
        await delay(readRetryAfterMs(response))
        response = await sendRenewing('GET', path)
      }
      if (!response.ok || !response.body) throw toError(remote.url, response.status, await response.text())
      try {
        yield* response.body
      } catch (error) {
        throw new OperatorError(`${remote.url} closed the connection before the end of the response`, {
          cause: error,
        })
      }
    },
    async call<T>(method: string, path: string, body?: unknown, type?: string): Promise<T> {
      const response = await sendRenewing(method, path, body, type)
      const text = await response.text()
      if (!response.ok) throw toError(remote.url, response.status, text)
      return (text === '' ? undefined : JSON.parse(text)) as T
    },
  }
}

const DEFAULT_RETRY_SECONDS = 15

const readRetryAfterMs = ({ headers }: Response): number =>
  1000 * (Number(headers.get('retry-after')) || DEFAULT_RETRY_SECONDS)

const toBytes = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? body : body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)

type Request = (path: string, init: RequestInit) => Promise<Response>

/** How long one request waits in total for the server to accept it. */
const MAX_WAIT_MS = 60_000

/** Repeats a request that exceeds a rate limit, unless the server asks for a longer wait than `MAX_WAIT_MS`. */
async function withinRateLimit(
  send: () => Promise<Response>,
  note: (line: string) => void,
  url: string,
): Promise<Response> {
  for (let waitedMs = 0; ; ) {
    const response = await send()
    if (response.status !== 429) return response
    const waitMs = readRetryAfterMs(response)
    waitedMs += waitMs
    if (waitedMs > MAX_WAIT_MS) return response
    await response.body?.cancel()
    note(`${url} has received too many requests; retrying in ${Math.ceil(waitMs / 1000)} s`)
    await delay(waitMs)
  }
}

async function sendRequest(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${url}${path}`, { ...init, redirect: 'error' })
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    throw new OperatorError(
      `${url} cannot be reached: ${cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause)}`,
      { cause: error },
    )
  }
}

/** The path of the token endpoint depends on the tenant, which the API description contains. */
async function findTokenPath(url: string, request: Request): Promise<string> {
  const response = await request('/openapi/operator.json', {})
  const document = (await response.json().catch(() => undefined)) as
    | { components?: { securitySchemes?: Record<string, Scheme> } }
    | undefined
  const schemes = Object.values(document?.components?.securitySchemes ?? {})
  const tokenUrl = schemes.map(({ flows }) => flows?.clientCredentials?.tokenUrl).find((found) => found)
  if (!response.ok || tokenUrl === undefined) throw new OperatorError(`there is no Portico server at ${url}`)
  return new URL(tokenUrl).pathname
}

interface Scheme {
  flows?: { clientCredentials?: { tokenUrl?: string } }
}

async function requestToken({ url, clientId, clientSecret }: Remote, request: Request): Promise<string> {
  const response = await request(await findTokenPath(url, request), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: `api://${clientId}/.default`,
    }),
  })
  const text = await response.text()
  const { access_token: token, error_description: reason } = parse(text)
  if (typeof token === 'string') return token
  const [line = `status ${response.status}`] = typeof reason === 'string' ? reason.split(/\r?\n/) : []
  throw new OperatorError(`${url} issued no token: ${line}`)
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** The error of a problem document (RFC 9457). */
function toError(url: string, status: number, text: string): Error {
  const { type, detail, errors } = parse(text)
  const code = typeof type === 'string' ? type.split('/').at(-1) : undefined
  if (code === undefined || !isErrorCode(code) || typeof detail !== 'string')
    return new OperatorError(`the server responded with status ${status}`)
  if (code === 'forbidden') return new AppError(code, describeForbidden(url))
  return new AppError(code, detail, { errors: Array.isArray(errors) ? (errors as FieldError[]) : [] })
}

/** The SDKs read the credentials of a partner from the same variables, and `demo.env` sets them. */
const describeForbidden = (url: string): string => {
  const { clientId, clientSecret } = REMOTE_SETTINGS
  return `${url} refused the request: its client id belongs to a partner, not to an operator. Set ${clientId.env} and ${clientSecret.env}, or --${clientId.flag} and --${clientSecret.flag}, to the credentials of an operator: for the demo, OPERATOR_CLIENT_ID and OPERATOR_CLIENT_SECRET in demo.env in the data folder of the server; otherwise those that portico partner add --role Operator printed.`
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)
