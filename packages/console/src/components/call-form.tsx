import type { ComponentChildren, JSX } from 'preact'
import { type ApiCall, send } from '../api.ts'
import { useAction } from '../resource.ts'
import { ShowCall } from './show-call.tsx'
import { ErrorNote } from './states.tsx'

interface CallFormProps<T> {
  /** Description of the form, for the button that shows the call. */
  subject: string
  /** The call to send, or several that are sent one after the other; undefined while the form is incomplete. */
  call: ApiCall | readonly ApiCall[] | undefined
  /** Text of the button. */
  label: string
  isDanger?: boolean
  /** Whether the form is one of several on a page. */
  isQuiet?: boolean
  /** Further buttons. */
  actions?: ComponentChildren
  /** Receives the response to the last call. */
  onAnswer: (answer: T) => void
  children?: ComponentChildren
}

/** Calls that are shown as code; further ones are alike. */
const MOST_SHOWN = 10

/** A form that sends one call, can show it, and shows its error. */
export function CallForm<T>(props: CallFormProps<T>): JSX.Element {
  const { subject, call, label, isDanger = false, isQuiet = false, actions, onAnswer, children } = props
  const calls = call === undefined ? [] : [call].flat()
  const action = useAction(async () => {
    let answer: { data: T } | undefined
    for (const each of calls) answer = await send<T>(each)
    if (answer) onAnswer(answer.data)
  })
  return (
    <form
      class="call-form"
      onSubmit={(event) => {
        event.preventDefault()
        void action.run()
      }}
    >
      {children}
      {action.error && <ErrorNote error={action.error} />}
      <div class="actions">
        <button
          type="submit"
          class={`button ${isDanger ? 'danger' : isQuiet ? '' : 'primary'}`}
          disabled={calls.length === 0 || action.isRunning}
        >
          {action.isRunning ? 'Sending…' : label}
        </button>
        {actions}
        {calls.length > 0 && <ShowCall calls={calls.slice(0, MOST_SHOWN)} subject={subject} />}
      </div>
    </form>
  )
}
