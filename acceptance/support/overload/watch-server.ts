import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import * as http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Portico } from '../servers/portico.ts'
import { listWorkers } from '../servers/workers.ts'
import { waitedForMachineMs } from './machine-wait.ts'

const MIB = 1024 * 1024
const SAMPLE_EVERY_MS = 50
const REQUEST_EVERY_MS = 50
const GIVE_UP_MS = 120_000

/** The requests of a well-behaved client while the server is under attack. */
export interface SteadyRequest {
  path: string
  headers?: Record<string, string>
}

export interface OverloadReport {
  /** Resident memory of the server and its workers, before the attack and at its highest. */
  baseMb: number
  peakMb: number
  growthMb: number
  /** Latency of the well-behaved client's requests, without machine waits: see `waitedForMachineMs`. */
  count: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

export interface ServerWatch {
  /** Ends the observation. Fails the test when a request of the well-behaved client was not answered with 200. */
  stop(): Promise<OverloadReport>
}

/**
 * Samples a server's memory, and sends it a request every 50 ms over one connection, as a partner's backend would.
 * Latency counts from the time a request was due: a stall of one second affects 20 requests, not one.
 */
export async function watchServer(portico: Portico, request: SteadyRequest): Promise<ServerWatch> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const latencies: number[] = []
  const failures: string[] = []
  const pending = new Set<Promise<void>>()
  const stopping = new AbortController()
  const { signal } = stopping
  // The first request opens the connection and warms the server's caches.
  await ask(portico, request, agent)
  const baseBytes = await residentBytes(portico.pid)
  let peakBytes = baseBytes

  const askOnce = async (): Promise<void> => {
    const startedAt = performance.now()
    const waitedBeforeMs = waitedForMachineMs(portico)
    try {
      const status = await ask(portico, request, agent)
      const waitedMs = waitedForMachineMs(portico) - waitedBeforeMs
      latencies.push(Math.max(0, performance.now() - startedAt - waitedMs))
      if (status !== 200) failures.push(String(status))
    } catch (error) {
      failures.push(String(error))
    }
  }

  const sampling = (async () => {
    while (!signal.aborted) {
      peakBytes = Math.max(peakBytes, await residentBytes(portico.pid))
      await sleep(SAMPLE_EVERY_MS)
    }
  })()
  const asking = (async () => {
    while (!signal.aborted) {
      const answered = askOnce()
      pending.add(answered)
      void answered.finally(() => pending.delete(answered))
      await sleep(REQUEST_EVERY_MS)
    }
  })()

  return {
    async stop() {
      stopping.abort()
      await Promise.all([sampling, asking, ...pending])
      agent.destroy()
      assert.deepEqual(failures, [], 'requests of the well-behaved client failed')
      const sorted = latencies.toSorted((a, b) => a - b)
      const at = (share: number): number =>
        sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
      return {
        baseMb: Math.round(baseBytes / MIB),
        peakMb: Math.round(peakBytes / MIB),
        growthMb: Math.round((peakBytes - baseBytes) / MIB),
        count: sorted.length,
        p50Ms: at(0.5),
        p99Ms: at(0.99),
        maxMs: at(1),
      }
    },
  }
}

/**
 * Resident memory of a server and its workers; 0 once it has ended. The process in which the demo generates its readings
 * does not count: it takes up to 200 MB for a few seconds, at a time that does not depend on the requests under test.
 */
export async function residentBytes(pid: number): Promise<number> {
  const pids = [pid, ...(await listWorkers({ pid }).catch(() => []))]
  const sizes = await Promise.all(pids.map(readResident))
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

async function readResident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

function ask(
  { port }: Portico,
  { path, headers = {} }: SteadyRequest,
  agent: http.Agent,
): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const request = http.get({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
    response.resume()
    response.once('end', () => resolve(response.statusCode))
    response.once('error', reject)
  })
  request.setTimeout(GIVE_UP_MS, () => request.destroy(new Error(`no answer within ${GIVE_UP_MS} ms`)))
  request.once('error', reject)
  return promise
}
