import type { Demo } from '@portico/server/process/demo'
import { HistoryProcess } from './history/process.ts'

/** Starts the process that generates the demo's history, which loads while the server does. */
export function startDemo(): Demo {
  const history = new HistoryProcess()
  return { prepare: async (context) => (await import('./demo.ts')).prepareDemo(context, history) }
}
