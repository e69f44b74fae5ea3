import assert from 'node:assert/strict'
import type { Portico } from './portico.ts'

/** The server's Prometheus metrics, as text. */
export async function readMetrics(portico: Portico): Promise<string> {
  const response = await fetch(`${portico.origin}/metrics`)
  assert.equal(response.status, 200)
  return response.text()
}
