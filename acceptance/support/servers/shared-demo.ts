import { after } from 'node:test'
import { type Demo, demoAt } from './installation.ts'
import { type Portico, startPortico } from './portico.ts'

const variable = 'ACCEPTANCE_SHARED_DEMO'

/**
 * The demo server that test files share. A file may use it if it changes neither the demo site nor the keys nor the
 * version 1 lifecycle, and reads nothing that other files change. Outside a run, a file starts its own server.
 */
export async function shareDemo(): Promise<Demo> {
  const shared = process.env[variable]
  if (shared !== undefined) return demoAt(attachTo(shared))
  const portico = await startDemoServer()
  after(() => portico.stop())
  return demoAt(portico)
}

/** Starts the server that shareDemo returns in processes with the resulting environment. */
export async function startSharedDemo(): Promise<{ env: Record<string, string>; stop(): Promise<unknown> }> {
  const portico = await startDemoServer()
  // Functions are not serialised.
  return { env: { [variable]: JSON.stringify(portico) }, stop: portico.stop }
}

const startDemoServer = (): Promise<Portico> =>
  startPortico({ env: { RATE_LIMIT: 'off', LOG_LEVEL: 'error' } })

function attachTo(shared: string): Portico {
  const refuse = (): never => {
    throw new Error('a test that stops a server, or reads its log, starts one of its own')
  }
  const addresses = JSON.parse(shared) as Omit<Portico, 'output' | 'signal' | 'stop' | 'kill'>
  return {
    ...addresses,
    output: refuse,
    signal: refuse,
    stop: refuse,
    kill: refuse,
    [Symbol.asyncDispose]: refuse,
  }
}
