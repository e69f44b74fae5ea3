import { createLeases, runAsLeader, withLease } from '../domain/coordination/leases.ts'
import type { Log } from '../kernel/log.ts'
import type { SharedState } from '../store/store.ts'
import type { PreparedDemo, Progress } from './demo.ts'
import type { Runtime } from './runtime.ts'

/** Serialises demo creation among instances that start at the same time. */
export function prepareUnderLease<T>(
  make: () => Promise<T>,
  { clock }: Runtime['services'],
  shared: SharedState | undefined,
  log: Log,
): Promise<T> {
  if (!shared) return make()
  return withLease(createLeases(shared.leases, clock), 'demo', make, (err) =>
    log.debug({ err }, 'the lease of the demo cannot be renewed'),
  )
}

/** Simulates the demo's devices in one of several instances. */
export async function simulateDemo(
  demo: PreparedDemo | undefined,
  { services }: Runtime,
  shared: SharedState | undefined,
  log: Log,
): Promise<{ stop(): Promise<void> } | undefined> {
  const startSimulator = demo?.startSimulator
  if (!startSimulator) return undefined
  if (!shared) return { stop: await startSimulator() }
  return runAsLeader(
    createLeases(shared.leases, services.clock),
    'simulator',
    () => startSimulator(shared.simulations),
    (err) => log.debug({ err }, 'the demo cannot be simulated'),
  )
}

/** A line that is updated in place on a terminal; one line per quarter otherwise. */
export function showProgress(print: (text: string) => void): Progress {
  let shown = -1
  return (siteName, share) => {
    const percent = Math.floor(share * 100)
    const step = process.stdout.isTTY ? percent : Math.floor(percent / 25) * 25
    if (step === shown) return
    shown = step
    const line = `Generating the history of ${siteName}: ${step} %`
    // The cursor returns to the start of the line, so that a log line overwrites it.
    print(`${line}${process.stdout.isTTY && percent < 99 ? '\r' : '\n'}`)
  }
}
