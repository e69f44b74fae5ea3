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
  reason === 'SIGTERM' ? 128 + constants.signals.SIGTERM : INTERRUPTED_BY_CTRL_C

/** On a terminal, a prompt reads Ctrl-C as a key. */
export const INTERRUPTED_BY_CTRL_C = 128 + constants.signals.SIGINT
