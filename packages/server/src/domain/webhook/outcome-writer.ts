import type { DeliveryOutcome } from './delivery.ts'
import type { WebhookStore } from './store.ts'

/** Writes the outcomes that arrive during a write together, in one transaction for each site. */
export interface OutcomeWriter {
  /** Resolves when the outcome is stored, or could not be. */
  add(outcome: DeliveryOutcome): Promise<void>
  close(): Promise<void>
}

export function createOutcomeWriter(
  store: Pick<WebhookStore, 'record'>,
  onError: (error: unknown) => void,
): OutcomeWriter {
  let pending: DeliveryOutcome[] = []
  let next: Promise<void> | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const bySite = Map.groupBy(pending, ({ key }) => key.siteUuid)
    pending = []
    next = undefined
    await Promise.all([...bySite].map(([siteUuid, own]) => store.record(siteUuid, own).catch(onError)))
  }

  return {
    add(outcome) {
      pending.push(outcome)
      next ??= writing = writing.then(write)
      return next
    },
    close: () => writing,
  }
}
