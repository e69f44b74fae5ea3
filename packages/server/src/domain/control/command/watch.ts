import type { Clock } from '../../../kernel/clock.ts'
import type { CommandStore } from './store.ts'

/** How soon a change by another process is noticed. */
const POLL_MS = 250

/** Requests that wait at the same time: of this process, and of one partner on one site. */
const MAX_WAITING = 2_000
const MAX_WAITING_PER_KEY = 200

/** Commands that ended longer ago do not change any more. */
const RECENT_MS = 86_400_000

/** Watches the commands of one device for one request. */
export interface Subscription {
  /** Resolves when a command of the device may have changed, or after `ms`. */
  next(ms: number): Promise<void>
  end(): void
}

export interface CommandWatch {
  /** `key` identifies partner and site. Undefined if too many requests wait already. */
  subscribe(key: string, siteUuid: string, deviceUuid: string): Subscription | undefined
  /** To be called when this process has changed commands of a device. */
  notify(siteUuid: string, deviceUuid: string): void
}

interface WatchedDevice {
  siteUuid: string
  deviceUuid: string
  /** The state of its commands when it was polled last. */
  signature: string | undefined
  subscribers: Set<() => void>
}

/**
 * Requests that wait for a change of commands. While there are any, the watched devices of all sites are polled with
 * one query; processes do not notify each other.
 */
export function createCommandWatch(deps: {
  store: Pick<CommandStore, 'signatures'>
  clock: Clock
  /** Changes whenever anything is stored; undefined if the store cannot tell without a query. */
  dataVersion: (() => number) | undefined
  /** Whether the process is stopping: then no request waits any longer. */
  isStopping(): boolean
  onError(error: unknown): void
}): CommandWatch {
  const { store, clock, dataVersion, isStopping, onError } = deps
  const devices = new Map<string, WatchedDevice>()
  const waiting = new Map<string, number>()
  let total = 0
  let timer: NodeJS.Timeout | undefined
  let lastVersion: number | undefined

  const wake = ({ subscribers }: WatchedDevice): void => {
    for (const resolve of subscribers) resolve()
  }

  const poll = async (): Promise<void> => {
    if (isStopping()) for (const device of devices.values()) wake(device)
    const version = dataVersion?.()
    const isIdle = version !== undefined && version === lastVersion
    lastVersion = version
    const polled = [...devices.values()].filter(({ signature }) => !isIdle || signature === undefined)
    if (polled.length === 0) return
    const found = await store.signatures(polled, clock.now() - RECENT_MS)
    for (const device of polled) {
      const signature = found.get(device.deviceUuid) ?? ''
      if (device.signature === signature) continue
      device.signature = signature
      wake(device)
    }
  }

  /** The next poll begins when the previous one has ended. */
  const schedule = (): void => {
    timer ??= setTimeout(() => {
      void poll()
        .catch(onError)
        .finally(() => {
          timer = undefined
          if (devices.size > 0) schedule()
        })
    }, POLL_MS).unref()
  }

  return {
    subscribe(key, siteUuid, deviceUuid) {
      const own = waiting.get(key) ?? 0
      if (total >= MAX_WAITING || own >= MAX_WAITING_PER_KEY) return undefined
      total += 1
      waiting.set(key, own + 1)
      let device = devices.get(deviceUuid)
      // The first poll wakes its requests: a command may have changed after they read it.
      if (!device)
        devices.set(
          deviceUuid,
          (device = { siteUuid, deviceUuid, signature: undefined, subscribers: new Set() }),
        )
      const watched = device
      watched.signature = undefined
      let resolve = (): void => {}
      // A change between two calls of `next` counts for the second.
      let isChanged = false
      let isEnded = false
      const onChange = (): void => {
        isChanged = true
        resolve()
      }
      watched.subscribers.add(onChange)
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
          isChanged = false
        },
        end() {
          if (isEnded) return
          isEnded = true
          resolve()
          watched.subscribers.delete(onChange)
          if (watched.subscribers.size === 0) devices.delete(deviceUuid)
          total -= 1
          const left = (waiting.get(key) ?? 1) - 1
          if (left === 0) waiting.delete(key)
          else waiting.set(key, left)
        },
      }
    },
    notify(_siteUuid, deviceUuid) {
      const device = devices.get(deviceUuid)
      if (device) wake(device)
    },
  }
}
