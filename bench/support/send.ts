import type { HttpRequest } from './saturate.ts'
import type { Dataset } from './dataset.ts'

/** Sends a request that must succeed. */
export async function send(url: string, { method, path, headers, body }: HttpRequest): Promise<string> {
  const response = await fetch(`${url}${path}`, { method, headers, body: body ?? null })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

/** The server's response without connection headers. */
export async function answerTo(
  { installation }: Dataset,
  request: HttpRequest,
): Promise<{ headers: Record<string, string>; body: string }> {
  const response = await fetch(`${installation.url}${request.path}`, {
    headers: { ...request.headers, 'accept-encoding': 'identity' },
  })
  const body = await response.text()
  if (response.status !== 200) throw new Error(`${request.path}: ${response.status} ${body}`)
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _keepAlive,
    ...headers
  } = Object.fromEntries(response.headers)
  return { headers, body }
}

/** Conditional requests of a caller that has the responses cached. */
export async function withEtags(dataset: Dataset, requests: readonly HttpRequest[]): Promise<HttpRequest[]> {
  const known: HttpRequest[] = []
  for (const one of requests) {
    const { etag = '' } = (await answerTo(dataset, one)).headers
    known.push({ ...one, headers: { ...one.headers, 'if-none-match': etag } })
  }
  return known
}
