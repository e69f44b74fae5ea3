import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Forces a full garbage collection. V8 shrinks its heap only under memory pressure; call this when a process that has
 * allocated a lot becomes idle.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  // V8 rejects its code cache at the next start if the flags have changed.
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect()
}
