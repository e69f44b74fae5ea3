import type { ComponentChildren, JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { ApiCall } from '../api.ts'
import { CallForm } from './call-form.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmButtonProps<T> {
  /** Text of the button that opens the dialog. */
  label: string
  /** The question, as the title of the dialog. */
  title: string
  /** Text of the button that confirms; the same as `label` if absent. */
  confirm?: string
  call: ApiCall | readonly ApiCall[] | undefined
  isDanger?: boolean
  isSmall?: boolean
  /** The name of the record, part of the button's accessible name. */
  subject?: string
  isDisabled?: boolean
  onAnswer: (answer: T) => void
  /** Explanation of the consequences. */
  children?: ComponentChildren
}

/** A button that asks for confirmation before it sends a call. */
export function ConfirmButton<T>(props: ConfirmButtonProps<T>): JSX.Element {
  const { label, title, confirm = label, call, isDanger = false, isSmall = false, subject, onAnswer } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class={`button ${isSmall ? 'small' : ''} ${isDanger ? 'danger' : ''}`}
        aria-haspopup="dialog"
        aria-label={subject === undefined ? undefined : `${label}: ${subject}`}
        disabled={props.isDisabled ?? false}
        onClick={() => {
          setOpen(true)
          dialog.current?.showModal()
        }}
      >
        {label}
      </button>
      <Dialog title={title} dialogRef={dialog} onClose={() => setOpen(false)}>
        {isOpen && (
          <CallForm<T>
            subject={title}
            call={call}
            label={confirm}
            isDanger={isDanger}
            actions={
              <button type="button" class="button" onClick={() => dialog.current?.close()}>
                Cancel
              </button>
            }
            onAnswer={(answer) => {
              dialog.current?.close()
              onAnswer(answer)
            }}
          >
            {props.children}
          </CallForm>
        )}
      </Dialog>
    </>
  )
}
