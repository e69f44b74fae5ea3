import type { ComponentChildren, JSX } from 'preact'
import { type ApiCall, send } from '../api.ts'
import { useAction } from '../resource.ts'
import { ShowCall } from './show-call.tsx'
import { ErrorNote } from './states.tsx'

interface CallFormProps<T> {
  /** What the form does, for the button that shows the call. */
  subject: string
  /** What is sent; undefined while the form is incomplete. */
  call: ApiCall | undefined
  /** Text of the button. */
  label: string
  isDanger?: boolean
  /** Whether the form is one of several on a page. */
  isQuiet?: boolean
  /** Further buttons. */
  actions?: ComponentChildren
  onAnswer: (answer: T) => void
  children?: ComponentChildren
}

/** A form that sends one call, can show it, and shows its error. */
export function CallForm<T>(props: CallFormProps<T>): JSX.Element {
  const { subject, call, label, isDanger = false, isQuiet = false, actions, onAnswer, children } = props
  const action = useAction(async () => {
    if (!call) return
    const { data } = await send<T>(call)
    onAnswer(data)
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
          disabled={!call || action.isRunning}
        >
          {action.isRunning ? 'Sending…' : label}
        </button>
        {actions}
        {call && <ShowCall calls={[call]} subject={subject} />}
      </div>
    </form>
  )
}
