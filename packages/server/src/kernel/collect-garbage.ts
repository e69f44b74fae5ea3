import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Has V8 give back what it holds and nobody uses. It does so by itself only when more is needed, so who has done a lot
 * and has nothing to do next says it.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  // Code that was compiled under other flags than these is not taken at the next start.
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect()
}
