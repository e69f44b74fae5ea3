import { type Command, ConflictError } from '@portico/sdk'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { send, v2 } from '../../../api.ts'
import { CommandBadge } from '../../../components/badge.tsx'
import { ShowCall } from '../../../components/show-call.tsx'
import { ErrorNote } from '../../../components/states.tsx'
import { toWords } from '../../../format.ts'
import { useAction } from '../../../resource.ts'
import { hasRole } from '../../../session.ts'
import { formatZonedClock } from '../../site-time.ts'
import { type Step, toCommandCall, useFollowedCommand } from '../follow-command.ts'
import { describeSchedule, describeState, isFinal, toTypeName } from '../words.ts'

interface CommandTimelineProps {
  siteId: string
  command: Command
  timeZone: string
  onEnd: () => void
}

/** A command and its states as they happen. */
export function CommandTimeline({
  siteId,
  command: first,
  timeZone,
  onEnd,
}: CommandTimelineProps): JSX.Element {
  const { command, steps, error, update } = useFollowedCommand(siteId, first, onEnd)
  const call = v2('DELETE', toCommandCall(siteId, first).path, { siteId })
  const cancel = useAction(async () => {
    try {
      update((await send<Command>(call)).data)
    } catch (error) {
      // It has ended in the meantime: how is of more interest than the refusal.
      if (error instanceof ConflictError) update((await send<Command>(toCommandCall(siteId, first))).data)
      throw error
    }
  })
  const { state, failureReason } = command
  return (
    <article class="command" aria-label={`${toTypeName(command.type)} command`}>
      <header>
        <h3>
          {toTypeName(command.type)}: {describeSchedule(command.schedule, timeZone)}
        </h3>
        <CommandBadge status={state} />
      </header>
      <StepList steps={steps} timeZone={timeZone} isOver={isFinal(state)} />
      <Announcement steps={steps} command={command} />
      {error && !isFinal(state) && (
        <p class="note warning">The server cannot be reached: this may not be the current state.</p>
      )}
      {cancel.error instanceof ConflictError && isFinal(state) ? (
        <p class="note warning" role="alert">
          It could not be cancelled, because it had already ended.
        </p>
      ) : (
        cancel.error && <ErrorNote error={cancel.error} />
      )}
      <div class="actions">
        {!isFinal(state) && hasRole('Devices.Control') && (
          <button
            type="button"
            class="button small"
            disabled={cancel.isRunning}
            onClick={() => void cancel.run()}
          >
            Cancel the command
          </button>
        )}
        <ShowCall
          calls={[toCommandCall(siteId, first), ...(isFinal(state) ? [] : [call])]}
          subject={`${toTypeName(command.type)} command`}
        />
        {failureReason && <code>{failureReason.code}</code>}
      </div>
    </article>
  )
}

const EXPECTED = ['PENDING', 'SENT', 'DELIVERED', 'CONFIRMED']

function StepList({
  steps,
  timeZone,
  isOver,
}: {
  steps: readonly Step[]
  timeZone: string
  isOver: boolean
}): JSX.Element {
  const missing = isOver ? [] : EXPECTED.slice(EXPECTED.indexOf(steps.at(-1)?.state ?? 'PENDING') + 1)
  return (
    <ol class="steps">
      {steps.map(({ state, at }, index) => (
        <li key={state} class={toStepClass(state, index === steps.length - 1 && !isOver)}>
          <span>{toWords(state)}</span>
          <time dateTime={at}>{formatZonedClock(at, timeZone)}</time>
        </li>
      ))}
      {missing.map((state) => (
        <li key={state} class="later">
          <span>{toWords(state)}</span>
          <span class="hidden">not yet</span>
        </li>
      ))}
    </ol>
  )
}

function toStepClass(state: string, isCurrent: boolean): string {
  if (isCurrent) return 'current'
  return ['FAILED', 'EXPIRED', 'CANCELLED'].includes(state) ? 'bad' : 'done'
}

/** Announces each state once, even if several were entered between two responses. */
function Announcement({ steps, command }: { steps: readonly Step[]; command: Command }): JSX.Element {
  const [text, setText] = useState('')
  const said = useRef(new Set<string>())
  useEffect(() => {
    const fresh = steps.filter(({ state }) => !said.current.has(state))
    if (fresh.length === 0) return
    for (const { state } of fresh) said.current.add(state)
    setText(
      fresh
        .map(({ state }) => describeState(state, state === command.state ? command.failureReason : null))
        .join(' '),
    )
  }, [steps, command])
  return (
    <p role="status" class="announcement">
      {text}
    </p>
  )
}
