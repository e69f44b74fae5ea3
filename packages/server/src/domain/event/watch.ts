import type { EventStore } from './store.ts'

/** How soon an event that another process has written is noticed. */
const POLL_MS = 250

/** If a poll finds this many events of a site or more, it wakes every subscriber without reading the rest. */
const MAX_READ = 200

/** Waits for events of a site on behalf of one request. */
export interface Subscription {
  /** Resolves when there may be new events, or after `ms`. Returns whether there may be. */
  next(ms: number): Promise<boolean>
  end(): void
}

export interface EventWatch {
  /** Without a device, every event of the site counts. */
  subscribe(siteUuid: string, deviceUuid?: string): Subscription
  /** To be called when this process has written events of a site. */
  notify(siteUuid: string): void
}

interface Subscriber {
  deviceUuid: string | undefined
  /** Not polled yet: an event may have been written after the request read what it waits for. */
  isNew: boolean
  wake(): void
}

interface WatchedSite {
  /** The newest event that subscribers have been woken for; undefined before the first poll. */
  lastNumber: number | undefined
  subscribers: Set<Subscriber>
}

/**
 * Requests and streams that wait for events. While there are any, the heads of their sites are polled with one query;
 * processes do not notify each other.
 */
export function createEventWatch(deps: {
  store: Pick<EventStore, 'heads' | 'list'>
  /** Changes whenever anything is stored; undefined if the store cannot tell without a query. */
  dataVersion: (() => number) | undefined
  /** Whether the process is stopping: requests then stop waiting. */
  isStopping(): boolean
  onError(error: unknown): void
}): EventWatch {
  const { store, dataVersion, isStopping, onError } = deps
  const sites = new Map<string, WatchedSite>()
  let timer: NodeJS.Timeout | undefined
  let isPolling = false
  let isPollRequested = false
  let lastVersion: number | undefined

  const wakeSite = async (siteUuid: string, site: WatchedSite, lastNumber: number): Promise<void> => {
    const { lastNumber: before, subscribers } = site
    const isRead = before !== undefined && lastNumber - before < MAX_READ
    const isChanged = before !== lastNumber
    const devices = new Set(
      isRead && isChanged
        ? (await store.list(siteUuid, before, MAX_READ)).map(({ deviceUuid }) => deviceUuid)
        : [],
    )
    // Only now: if the events cannot be read, the next poll reads them again.
    site.lastNumber = lastNumber
    for (const subscriber of subscribers) {
      const { isNew, deviceUuid } = subscriber
      subscriber.isNew = false
      if (isNew || (isChanged && (!isRead || deviceUuid === undefined || devices.has(deviceUuid))))
        subscriber.wake()
    }
  }

  const poll = async (): Promise<void> => {
    if (isStopping()) for (const { subscribers } of sites.values()) for (const { wake } of subscribers) wake()
    const version = dataVersion?.()
    const isIdle = version !== undefined && version === lastVersion
    const polled = [...sites].filter(
      ([, { subscribers }]) => !isIdle || [...subscribers].some(({ isNew }) => isNew),
    )
    if (polled.length > 0) {
      const heads = await store.heads(polled.map(([siteUuid]) => siteUuid))
      const errors: unknown[] = []
      for (const [siteUuid, site] of polled) {
        try {
          await wakeSite(siteUuid, site, heads.get(siteUuid)?.lastNumber ?? 0)
        } catch (error) {
          errors.push(error)
        }
      }
      // The other sites do not wait for one whose events cannot be read.
      if (errors.length > 0) throw errors[0]
    }
    lastVersion = version
  }

  /** The next poll begins when the previous one has ended. */
  const run = (): void => {
    if (isPolling) {
      isPollRequested = true
      return
    }
    clearTimeout(timer)
    timer = undefined
    isPolling = true
    void poll()
      .catch(onError)
      .finally(() => {
        isPolling = false
        if (sites.size === 0) return
        if (isPollRequested) {
          isPollRequested = false
          setImmediate(run)
        } else schedule()
      })
  }

  const schedule = (): void => {
    if (!isPolling) timer ??= setTimeout(run, POLL_MS).unref()
  }

  return {
    subscribe(siteUuid, deviceUuid) {
      let site = sites.get(siteUuid)
      if (!site) sites.set(siteUuid, (site = { lastNumber: undefined, subscribers: new Set() }))
      const { subscribers } = site
      let resolve = (): void => {}
      // An event between two calls of `next` counts for the second.
      let isChanged = false
      let isEnded = false
      const subscriber: Subscriber = {
        deviceUuid,
        isNew: true,
        wake() {
          isChanged = true
          resolve()
        },
      }
      subscribers.add(subscriber)
      schedule()
      return {
        async next(ms) {
          if (!isChanged && !isEnded)
            await new Promise<void>((done) => {
              const timeout = setTimeout(done, ms)
              resolve = () => {
                clearTimeout(timeout)
                done()
              }
            })
          const wasChanged = isChanged
          isChanged = false
          return wasChanged
        },
        end() {
          if (isEnded) return
          isEnded = true
          resolve()
          subscribers.delete(subscriber)
          if (subscribers.size === 0 && sites.get(siteUuid)?.subscribers === subscribers)
            sites.delete(siteUuid)
        },
      }
    },
    notify(siteUuid) {
      if (sites.has(siteUuid)) run()
    },
  }
}
