import type { Config } from '../../config/config.ts'
import type { ComputeThread } from '../../http/v2/aggregate/compute-thread.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { ForwardWrite } from '../../store/open.ts'
import { createDamageReporter } from '../report-store.ts'
import { createComputeThread } from './compute.ts'
import type { ThreadHost } from './thread-store.ts'

/** The threads of a process, each started when it is first needed. */
export interface Threads {
  compute: ComputeThread
  close(): Promise<void>
}

export function createThreads(
  config: Config,
  log: Log,
  metrics: Metrics,
  { write, onExternalFailure }: { write: ForwardWrite; onExternalFailure(error: Error): void },
): Threads {
  const host: ThreadHost = {
    write,
    reportDamage: createDamageReporter(metrics, log),
    reportExternalFailure: (message) => onExternalFailure(new Error(message)),
  }
  const onFailure = (err: Error): void => {
    log.error({ err }, 'a thread has failed; the next request starts another')
  }
  const compute = createComputeThread(config, host, onFailure)
  return { compute, close: () => compute.close() }
}
