import { ApiError, type Command, type EventPage } from '@portico/sdk'
import { useEffect, useState } from 'preact/hooks'
import { type ApiCall, send, v2 } from '../../api.ts'
import { hasRole } from '../../session.ts'
import { wait, whenVisible } from '../wait.ts'
import { type CommandState, isFinal } from './words.ts'

/** A state that a command has entered. */
export interface Step {
  state: CommandState
  at: string
}

export interface FollowedCommand {
  command: Command
  steps: readonly Step[]
  /** Why the command cannot be followed at the moment. */
  error: Error | undefined
}

const LONG_POLL_S = 25
const TIMEOUT_MS = 45_000
const RETRY_MS = 3_000

export const toCommandCall = (siteId: string, { deviceUuid, commandUuid }: Command): ApiCall =>
  v2('GET', `/devices/${deviceUuid}/commands/${commandUuid}`, { siteId })

/** Follows a command by long polls, one at a time, until it has ended. */
export function useFollowedCommand(
  siteId: string,
  first: Command,
  onEnd: () => void,
): FollowedCommand & { update: (command: Command) => void } {
  const [followed, setFollowed] = useState<FollowedCommand>({
    command: first,
    steps: [{ state: 'PENDING', at: first.createdAt }],
    error: undefined,
  })
  const update = (command: Command, logged: readonly Step[] = []): void =>
    setFollowed(({ steps }) => ({
      command,
      steps: mergeSteps(steps, [{ state: command.state, at: command.updatedAt }, ...logged]),
      error: undefined,
    }))

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const run = async (): Promise<void> => {
      for await (const result of poll(toCommandCall(siteId, first), signal)) {
        if (result instanceof Error) {
          setFollowed((held) => ({ ...held, error: result }))
          continue
        }
        const logged = await loadSteps(siteId, result, signal)
        if (signal.aborted) return
        update(result, logged)
        if (isFinal(result.state)) onEnd()
      }
    }
    // Nothing is left to do when the page is closed.
    run().catch(() => {})
    return () => controller.abort()
  }, [siteId, first.commandUuid])

  return { ...followed, update }
}

/** Each version of the command, and errors in between; ends with its final state. */
async function* poll(call: ApiCall, signal: AbortSignal): AsyncGenerator<Command | Error, void, undefined> {
  let etag: string | undefined
  for (;;) {
    // A command can wait for its device for a day; a page in the background does not poll.
    await whenVisible(signal)
    try {
      const headers = etag === undefined ? {} : { 'if-none-match': etag, prefer: `wait=${LONG_POLL_S}` }
      const { data, response } = await send<Command>(call, { signal, headers, timeoutMs: TIMEOUT_MS })
      const isUnchanged = etag !== undefined && response.status === 304
      etag = response.headers.get('etag') ?? etag
      if (!isUnchanged) {
        yield data
        if (isFinal(data.state)) return
      } else if (!response.headers.has('preference-applied')) await wait(RETRY_MS, signal)
    } catch (error) {
      if (signal.aborted) return
      yield error as Error
      if (error instanceof ApiError && [403, 404].includes(error.status)) return
      await wait(RETRY_MS, signal)
    }
  }
}

/** The states with their times from the event log, since a poll can miss short ones; empty without access to it. */
async function loadSteps(siteId: string, command: Command, signal: AbortSignal): Promise<Step[]> {
  if (!hasRole('Events.Read')) return []
  const { deviceUuid, commandUuid } = command
  const query = { types: 'command.updated', deviceUuid, limit: 1000 }
  try {
    const { data } = await send<EventPage>(v2('GET', '/events', { siteId, query }), { signal })
    return data.data.flatMap((event) =>
      event.type === 'command.updated' && event.data.command.commandUuid === commandUuid
        ? [{ state: event.data.command.state, at: event.timestamp }]
        : [],
    )
  } catch {
    return []
  }
}

/**
 * Steps in the order in which they happened. A later one replaces one of the same state: times of the log are exact.
 */
function mergeSteps(seen: readonly Step[], more: readonly Step[]): readonly Step[] {
  const byState = new Map([...seen, ...more].map((step) => [step.state, step]))
  return [...byState.values()].toSorted(
    (a, b) => Date.parse(a.at) - Date.parse(b.at) || toRank(a) - toRank(b),
  )
}

const ORDER = ['PENDING', 'SENT', 'DELIVERED']

const toRank = ({ state }: Step): number => (ORDER.includes(state) ? ORDER.indexOf(state) : ORDER.length)
