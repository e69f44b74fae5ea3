import type { Shared, Store } from './store.ts'

/** What a server has in common with others on its store; undefined where there are none: without an outside broker it is alone. */
export const sharedBy = (
  { shared }: Pick<Store, 'shared'>,
  { mqttUrl }: { mqttUrl: string | undefined },
): Shared | undefined => (mqttUrl === undefined ? undefined : shared)
