import { createHook } from 'node:async_hooks'

const retained: object[] = []

/**
 * Keeps one of the objects that `process.nextTick` queues in memory. V8 optimises the function for the shape of these
 * objects and references the shape weakly: if a garbage collection finds none of them, it forgets the shape and never
 * optimises the function again. Requests then take about 10 % more processor time. Call it as early as possible.
 */
export function retainTickShape(): void {
  const hook = createHook({
    init(_id, type, _triggerId, resource) {
      if (type === 'TickObject') retained.push(resource)
    },
  }).enable()
  process.nextTick(() => {})
  hook.disable()
}
