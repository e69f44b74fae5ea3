import type { Sent } from './full-load.ts'
import type { Year } from './year.ts'

/** One request, sent and answered well. */
export async function send(url: string, { method, path, headers, body }: Sent): Promise<string> {
  const response = await fetch(`${url}${path}`, { method, headers, body: body ?? null })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

/** What the server answers, without what belongs to the connection. */
export async function answerTo(
  { installation }: Year,
  asked: Sent,
): Promise<{ headers: Record<string, string>; body: string }> {
  const response = await fetch(`${installation.url}${asked.path}`, {
    headers: { ...asked.headers, 'accept-encoding': 'identity' },
  })
  const body = await response.text()
  if (response.status !== 200) throw new Error(`${asked.path}: ${response.status} ${body}`)
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _kept,
    ...headers
  } = Object.fromEntries(response.headers)
  return { headers, body }
}

/** Requests of a caller that has the answers already. */
export async function withEtags(year: Year, asked: readonly Sent[]): Promise<Sent[]> {
  const known: Sent[] = []
  for (const one of asked) {
    const { etag = '' } = (await answerTo(year, one)).headers
    known.push({ ...one, headers: { ...one.headers, 'if-none-match': etag } })
  }
  return known
}
