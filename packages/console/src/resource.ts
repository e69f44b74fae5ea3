import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiCall, send, v2 } from './api.ts'
import { pageData } from './page-data.ts'
import { visits } from './route.ts'

/** The response to a call, kept up to date while the page is visible. */
export interface Resource<T> {
  /** The call that is sent; undefined if there is nothing to request yet. */
  call: ApiCall | undefined
  data: T | undefined
  error: Error | undefined
  /** Since when the data could not be renewed, in milliseconds since the epoch. */
  staleSince: number | undefined
  isLoading: boolean
  reload: () => void
}

interface State<T> {
  key: string
  data: T | undefined
  error: Error | undefined
  loadedAt: number | undefined
  isLoading: boolean
}

const REFRESH_MS = 60_000

/** A request in flight, shared by all panels that need its response. */
interface Flight<T> {
  answer: Promise<{ data: T }>
  controller: AbortController
  users: number
}

const flights = new Map<string, Flight<unknown>>()

function join<T>(key: string, call: ApiCall): Flight<T> {
  let flight = flights.get(key)
  if (!flight) {
    const controller = new AbortController()
    const answer = send<unknown>(call, { signal: controller.signal })
    flight = { answer, controller, users: 0 }
    flights.set(key, flight)
    const clear = (): void => void (flights.get(key)?.answer === answer && flights.delete(key))
    answer.then(clear, clear)
  }
  flight.users += 1
  return flight as Flight<T>
}

/** Aborts the request when its last user leaves. */
function leave<T>(key: string, flight: Flight<T>): void {
  flight.users -= 1
  if (flight.users > 0) return
  flight.controller.abort()
  if (flights.get(key) === flight) flights.delete(key)
}

/** Responses that came with the page, by their call. */
const pageAnswers = new Map<string, unknown>()
if (pageData?.account) pageAnswers.set(JSON.stringify(v2('GET', '/account')), pageData.account)

/** Only the first view uses a response that came with the page. */
const findPageAnswer = (key: string): unknown =>
  visits.peek() === 0 && performance.now() < REFRESH_MS ? pageAnswers.get(key) : undefined

/** Reload what the panels on the page show. */
const reloads = new Set<() => void>()

/** Reloads the data of the page after another user has changed it. Forms keep what was entered. */
export function reloadPage(): void {
  for (const reload of reloads) reload()
}

/** Sends a call and repeats it every minute. The data of the last response remains if a later request fails. */
export function useCall<T>(call: ApiCall | undefined, { refreshMs = REFRESH_MS } = {}): Resource<T> {
  const key = call ? JSON.stringify(call) : ''
  const [round, setRound] = useState(0)
  const given = round === 0 ? (findPageAnswer(key) as T | undefined) : undefined
  const isGiven = given !== undefined
  const empty: State<T> = {
    key,
    data: given,
    error: undefined,
    loadedAt: isGiven ? performance.timeOrigin : undefined,
    isLoading: key !== '' && !isGiven,
  }
  const [state, setState] = useState(empty)
  const latest = useRef(0)

  useEffect(() => {
    if (!call) return
    latest.current = Date.now()
    if (isGiven) return
    setState((held) => (held.key === key ? { ...held, isLoading: true } : empty))
    const flight = join<T>(key, call)
    let isCurrent = true
    flight.answer.then(
      // A request that is shared with another panel continues after this one has sent a newer one.
      ({ data }) =>
        isCurrent && setState({ key, data, error: undefined, loadedAt: Date.now(), isLoading: false }),
      (error: unknown) => {
        if (!isCurrent) return
        setState((held) => ({
          ...(held.key === key ? held : empty),
          error: error as Error,
          isLoading: false,
        }))
      },
    )
    return () => {
      isCurrent = false
      leave(key, flight)
    }
    // The key identifies the call.
  }, [key, round])

  useEffect(() => {
    if (refreshMs === 0) return
    const refresh = (): void => {
      if (!document.hidden && Date.now() - latest.current >= refreshMs - 500) setRound((value) => value + 1)
    }
    const timer = setInterval(refresh, refreshMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [refreshMs])

  const shown = state.key === key ? state : empty
  const reload = useCallback(() => {
    // The response to a request in flight may be older than the change that caused this one.
    flights.delete(key)
    pageAnswers.delete(key)
    setRound((value) => value + 1)
  }, [key])
  useEffect(() => {
    reloads.add(reload)
    return () => void reloads.delete(reload)
  }, [reload])
  return {
    call,
    data: shown.data,
    error: shown.error,
    staleSince: shown.error && shown.data !== undefined ? shown.loadedAt : undefined,
    isLoading: shown.isLoading,
    reload,
  }
}

export interface ListBody<T> {
  data: T[]
  pagination: { nextCursor: string | null }
}

export interface ListResource<T> extends Resource<T[]> {
  /** Loads the next page; undefined on the last one. */
  loadMore: (() => void) | undefined
}

/** Rows of a list that are shown before "More". */
const PAGE_ROWS = 200

/** The first page of a list, and more on demand. */
export function useList<T>(
  call: ApiCall | undefined,
  { limit = PAGE_ROWS, refreshMs = REFRESH_MS } = {},
): ListResource<T> {
  const paged = call && { ...call, query: { ...call.query, limit } }
  const key = paged ? JSON.stringify(paged) : ''
  const first = useCall<ListBody<T>>(paged, { refreshMs })
  const [later, setLater] = useState<{
    key: string
    pages: ListBody<T>[]
    isLoading: boolean
    error?: Error
  }>({
    key,
    pages: [],
    isLoading: false,
  })
  const { pages, isLoading, error } =
    later.key === key ? later : { pages: [], isLoading: false, error: undefined }
  const nextCursor = (pages.at(-1) ?? first.data)?.pagination.nextCursor
  const loadMore = (): void => {
    if (!paged || !nextCursor || isLoading) return
    setLater({ key, pages, isLoading: true })
    send<ListBody<T>>({ ...paged, query: { ...paged.query, cursor: nextCursor } }).then(
      ({ data }) => setLater({ key, pages: [...pages, data], isLoading: false }),
      (reason: unknown) => setLater({ key, pages, isLoading: false, error: reason as Error }),
    )
  }
  return {
    ...first,
    data: first.data && [first.data, ...pages].flatMap(({ data }) => data),
    error: error ?? first.error,
    isLoading: first.isLoading || isLoading,
    loadMore: nextCursor ? loadMore : undefined,
  }
}

export interface Action<A extends unknown[]> {
  run: (...args: A) => Promise<void>
  isRunning: boolean
  error: Error | undefined
  clear: () => void
}

/** A change requested by the user: runs one at a time, and keeps its error for the form to show. */
export function useAction<A extends unknown[]>(perform: (...args: A) => Promise<void>): Action<A> {
  const [state, setState] = useState<{ isRunning: boolean; error: Error | undefined }>({
    isRunning: false,
    error: undefined,
  })
  const run = async (...args: A): Promise<void> => {
    if (state.isRunning) return
    setState({ isRunning: true, error: undefined })
    try {
      await perform(...args)
      setState({ isRunning: false, error: undefined })
    } catch (error) {
      setState({ isRunning: false, error: error as Error })
    }
  }
  return { run, ...state, clear: () => setState({ isRunning: false, error: undefined }) }
}
