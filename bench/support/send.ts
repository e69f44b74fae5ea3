import type { Sent } from './full-load.ts'

/** One request, sent and answered well. */
export async function send(url: string, { method, path, headers, body }: Sent): Promise<string> {
  const response = await fetch(`${url}${path}`, { method, headers, body: body ?? null })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}
