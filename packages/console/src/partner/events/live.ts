import type { Event, EventPage } from '@portico/sdk'
import { useEffect, useRef, useState } from 'preact/hooks'
import { send } from '../../api.ts'
import { wait } from '../wait.ts'
import { type EventFilter, loadEarlier, loadNewest, toEventsCall } from './log.ts'
import { addPage, type LogState, mergeEarlier } from './log-state.ts'

export type LiveStatus = 'loading' | 'live' | 'paused' | 'idle' | 'lost' | 'failed'

export interface LiveLog {
  events: readonly Event[] | undefined
  status: LiveStatus
  /** How many events have arrived since the page was opened. */
  arrived: number
  error: Error | undefined
  /** Since when the server has been unreachable. */
  lostAt: number | undefined
  pause: () => void
  resume: () => void
  /** Loads earlier events; undefined if there are none. */
  loadMore: (() => void) | undefined
  isLoadingMore: boolean
}

const LONG_POLL_S = 30
const TIMEOUT_MS = 45_000
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [1_000, 30_000]
/** After this time without keyboard or pointer input, the page stops polling. */
const IDLE_MS = 20 * 60_000

/**
 * The event log of a site, as it grows. One long poll is open at a time: two requests a minute while nothing happens,
 * and none while the page is hidden, paused or has not been used for 20 minutes.
 */
export function useLiveLog(siteId: string, filter: EventFilter): LiveLog {
  const key = JSON.stringify([siteId, filter])
  const [state, setState] = useState<{ key: string; log: LogState }>()
  const [status, setStatus] = useState<LiveStatus>('loading')
  const [arrived, setArrived] = useState(0)
  const [failure, setFailure] = useState<{ error: Error; at: number }>()
  const [isPaused, setPaused] = useState(false)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const isWatched = useWatched()
  const held = useRef<{ key: string; log: LogState }>(undefined)
  const loadingMore = useRef<AbortController>(undefined)
  const set = (log: LogState): void => {
    held.current = { key, log }
    setState(held.current)
  }

  useEffect(() => {
    if (isPaused || !isWatched) {
      setStatus(isPaused ? 'paused' : 'idle')
      return
    }
    const controller = new AbortController()
    const { signal } = controller
    const isOver = (): boolean => signal.aborted
    const follow = async (): Promise<void> => {
      let retryMs = FIRST_RETRY_MS
      while (!isOver()) {
        try {
          const log = held.current?.key === key ? held.current.log : undefined
          if (log) await followOnce(log)
          else set(await loadNewest(siteId, filter, signal))
          if (isOver()) return
          setFailure(undefined)
          setStatus('live')
          retryMs = FIRST_RETRY_MS
        } catch (error) {
          if (isOver()) return
          setFailure((first) => ({ error: error as Error, at: first?.at ?? Date.now() }))
          setStatus(isRefusal(error) ? 'failed' : 'lost')
          if (isRefusal(error)) return
          await wait(retryMs, signal)
          retryMs = Math.min(LAST_RETRY_MS, retryMs * 2)
        }
      }
    }
    const followOnce = async (log: LogState): Promise<void> => {
      const { data: page, response } = await send<EventPage>(toEventsCall(siteId, filter, log.newest), {
        signal,
        headers: { prefer: `wait=${LONG_POLL_S}` },
        timeoutMs: TIMEOUT_MS,
        maxRetries: 0,
      })
      // Earlier events may have been loaded meanwhile.
      set(addPage(held.current?.key === key ? held.current.log : log, page))
      setArrived((count) => count + page.data.length)
      if (page.data.length === 0 && !response.headers.has('preference-applied'))
        await wait(LAST_RETRY_MS, signal)
    }
    setStatus('loading')
    void follow()
    return () => controller.abort()
  }, [key, isPaused, isWatched])

  // Earlier events of another filter must not replace the log.
  useEffect(() => () => loadingMore.current?.abort(), [key])

  const log = state?.key === key ? state.log : undefined
  const loadMore = (): void => {
    if (!log || isLoadingMore) return
    setLoadingMore(true)
    const { signal } = (loadingMore.current = new AbortController())
    loadEarlier(siteId, filter, log, signal)
      .then(
        (more) =>
          signal.aborted || set(mergeEarlier(held.current?.key === key ? held.current.log : log, more)),
        (error: unknown) => signal.aborted || setFailure({ error: error as Error, at: Date.now() }),
      )
      .finally(() => setLoadingMore(false))
  }
  return {
    events: log?.events,
    status,
    arrived,
    error: failure?.error,
    lostAt: failure?.at,
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    loadMore: log && log.oldest > 0 ? loadMore : undefined,
    isLoadingMore,
  }
}

/** Whether the next request would fail in the same way. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && [400, 403, 404].includes(Number(error.status))

/** Whether the page is visible and has been used recently. */
function useWatched(): boolean {
  const [isWatched, setWatched] = useState(!document.hidden)
  useEffect(() => {
    let usedAt = Date.now()
    const check = (): void => setWatched(!document.hidden && Date.now() - usedAt < IDLE_MS)
    const use = (): void => {
      usedAt = Date.now()
      check()
    }
    const timer = setInterval(check, 60_000)
    const names = ['pointermove', 'keydown', 'focus'] as const
    for (const name of names) addEventListener(name, use, { passive: true })
    document.addEventListener('visibilitychange', use)
    return () => {
      clearInterval(timer)
      for (const name of names) removeEventListener(name, use)
      document.removeEventListener('visibilitychange', use)
    }
  }, [])
  return isWatched
}
