import type { SharedState, Store } from './store.ts'

/** What a server has in common with others on its store; undefined where there are none: without an outside broker it is alone. */
export const getSharedState = (
  { shared }: Pick<Store, 'shared'>,
  { mqttUrl }: { mqttUrl: string | undefined },
): SharedState | undefined => (mqttUrl === undefined ? undefined : shared)
