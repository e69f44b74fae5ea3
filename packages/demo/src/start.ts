import { existsSync } from 'node:fs'
import { type Config, toDemoFile } from '@portico/server/config/config'
import { systemClock } from '@portico/server/kernel/clock'
import type { Demo } from '@portico/server/process/demo'
import { HistoryProcess } from './history/process.ts'

/** Starts the generation of a new demo's history, which then proceeds while the server loads. */
export function startDemo(config: Config): Demo {
  const early = existsSync(toDemoFile(config))
    ? undefined
    : new HistoryProcess({ modelsTo: systemClock.now() })
  return { prepare: async (context) => (await import('./demo.ts')).prepareDemo(context, early) }
}
