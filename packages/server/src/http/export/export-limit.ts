import { AppError } from '../../kernel/errors.ts'

/** Limits the exports that run concurrently in this process. */
export interface ExportLimit {
  /** Acquires a slot; throws `rate-limited` if there is none. Returns a function that releases it. */
  enter(partnerUuid: string, siteUuid: string): () => void
}

/** Concurrent exports of one partner and site. */
const MAX_OF_SITE = 2

/** An export takes seconds or minutes. */
const RETRY_AFTER_SECONDS = 15

export function createExportLimit(max: number): ExportLimit {
  const running = new Map<string, number>()
  let total = 0

  const refuse = (bound: string): never => {
    throw new AppError('rate-limited', `At most ${bound} may run at the same time; retry later.`, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }

  return {
    enter(partnerUuid, siteUuid) {
      const key = `${partnerUuid} ${siteUuid}`
      const own = running.get(key) ?? 0
      if (own >= MAX_OF_SITE) refuse(`${MAX_OF_SITE} exports of a site by one partner`)
      if (total >= max) refuse(`${max} exports of all partners`)
      running.set(key, own + 1)
      total += 1
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        total -= 1
        const left = (running.get(key) ?? 1) - 1
        if (left > 0) running.set(key, left)
        else running.delete(key)
      }
    },
  }
}
