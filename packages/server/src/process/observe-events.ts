import type { Store } from '../store/store.ts'

/** A port with some of its methods replaced; the others keep their implementation. */
const override = <Port extends object>(port: Port, methods: Partial<Port>): Port =>
  Object.assign(Object.create(port) as Port, methods)

/** The store, which calls `onEvents` after each write of this process that may have added events to a site's log. */
export function observeEvents(store: Store, onEvents: (siteUuid: string) => void): Store {
  const { commands, outbox, inventory, deviceStatuses, closedDays, events } = store
  const notifyAfter = async <T>(siteUuids: readonly string[], written: Promise<T>): Promise<T> => {
    const result = await written
    for (const siteUuid of new Set(siteUuids)) onEvents(siteUuid)
    return result
  }
  return {
    ...store,
    commands: override(commands, {
      add: (siteUuid, ...rest) => notifyAfter([siteUuid], commands.add(siteUuid, ...rest)),
      apply: (siteUuid, ...rest) => notifyAfter([siteUuid], commands.apply(siteUuid, ...rest)),
      async expireOverdue(now) {
        const ended = await commands.expireOverdue(now)
        for (const siteUuid of new Set(ended.map((command) => command.siteUuid))) onEvents(siteUuid)
        return ended
      },
    }),
    outbox: override(outbox, {
      recordAttempts: (attempts, now) =>
        notifyAfter(
          attempts.map(({ siteUuid }) => siteUuid),
          outbox.recordAttempts(attempts, now),
        ),
    }),
    inventory: override(inventory, {
      apply: (siteUuid, ...rest) => notifyAfter([siteUuid], inventory.apply(siteUuid, ...rest)),
    }),
    deviceStatuses: override(deviceStatuses, {
      update: (siteUuid, ...rest) => notifyAfter([siteUuid], deviceStatuses.update(siteUuid, ...rest)),
    }),
    closedDays: override(closedDays, {
      close: (siteUuid, closing) => notifyAfter([siteUuid], closedDays.close(siteUuid, closing)),
    }),
    events: override(events, {
      append: (siteUuid, added) => notifyAfter([siteUuid], events.append(siteUuid, added)),
    }),
  }
}
