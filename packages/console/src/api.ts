import { signal } from '@preact/signals'
import { type Answer, ApiError, type CallOptions, memoryCache, Portico } from '@portico/sdk'
import { PorticoOperator } from '@portico/sdk/operator'
import { dropToken, getToken } from './session.ts'

export type QueryValue = string | number | boolean | readonly string[] | undefined

/** A request to the API as data, so that it can be sent and also shown as code. */
export interface ApiCall {
  api: 'v2' | 'operator'
  method: string
  /** Below /v2 or /operator, encoded. */
  path: string
  query?: Record<string, QueryValue>
  siteId?: string
  body?: unknown
  /** The media type of the response, if it is not JSON. */
  accept?: string
  /** Name of a file with the body, if it is too long to be shown. */
  bodyFile?: string
}

type CallDetails = Pick<ApiCall, 'query' | 'siteId' | 'body' | 'bodyFile' | 'accept'>

export const v2 = (method: string, path: string, details: CallDetails = {}): ApiCall => ({
  api: 'v2',
  method,
  path,
  ...details,
})

export const operator = (method: string, path: string, details: CallDetails = {}): ApiCall => ({
  api: 'operator',
  method,
  path,
  ...details,
})

/** When the rate limit has room again, in milliseconds since the epoch; in the past, or 0, if it has room. */
export const pausedUntil = signal(0)

const OPTIONS = {
  token: getToken,
  cache: memoryCache(),
  // The session's cookie is for /console only.
  fetch: (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
    fetch(input, { ...init, credentials: 'omit' }),
  onPaused: ({ waitMs }: { waitMs: number }): void => {
    pausedUntil.value = Date.now() + waitMs
  },
}

const partnerClient = new Portico({ ...OPTIONS, baseUrl: `${location.origin}/v2`, warnBeforeExpiry: false })
const operatorClient = new PorticoOperator({ ...OPTIONS, operatorUrl: `${location.origin}/operator` })

/** Sends a call. */
export async function send<T>(call: ApiCall, options: CallOptions = {}): Promise<Answer<T>> {
  try {
    return await sendOnce<T>(call, options)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    dropToken()
    return sendOnce<T>(call, options)
  }
}

function sendOnce<T>(call: ApiCall, options: CallOptions): Promise<Answer<T>> {
  const { api, method, path, query, siteId, body, accept } = call
  const headers = accept === undefined ? options.headers : { ...options.headers, accept }
  const request = { ...options, headers, query, body }
  return api === 'v2'
    ? partnerClient.request<T>(method, path, { ...request, siteId }).withResponse()
    : operatorClient.request<T>(method, path, request).withResponse()
}

/** The SDK client of a site, for tasks of more than one call. */
export const openSite = (siteId: string): ReturnType<Portico['site']> => partnerClient.site(siteId)
