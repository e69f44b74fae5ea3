import { UserFacingError } from '../kernel/errors.ts'

/** A start that failed, with a one-line message for the terminal. */
export class StartError extends UserFacingError {}

/** Another process can take the broker's port between the check and the listen. */
export function toStartError(error: unknown): unknown {
  const isListen = error instanceof Error && 'syscall' in error && error.syscall === 'listen'
  return isListen ? new StartError(`the MQTT broker cannot start: ${error.message}`) : error
}

/** Calls `start`, which listens on a port; a failure is reported with the address. */
export async function listen<T>(host: string, port: number, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    throw new StartError(
      `cannot listen on ${host} port ${port}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
