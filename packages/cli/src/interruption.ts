import { constants } from 'node:os'
import { waitForStopSignals } from '@portico/server/kernel/stop-signals'

/** Aborted by Ctrl-C or SIGTERM, so that a command can end in an orderly way. A second signal ends it immediately. */
export function createInterruption(): AbortSignal {
  const { second, signal } = waitForStopSignals()
  void second.then(() => process.exit(interruptedExitCode(signal)))
  return signal
}

/** The exit code of a process that the signal would have ended. */
export const interruptedExitCode = ({ reason }: AbortSignal): number =>
  128 + (reason === 'SIGTERM' ? constants.signals.SIGTERM : constants.signals.SIGINT)
