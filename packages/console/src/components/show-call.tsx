import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { ApiCall } from '../api.ts'
import { CallsCode } from './call-code.tsx'
import { Dialog } from './dialog.tsx'

/** A button that shows the requests behind a panel as code. */
export function ShowCall({ calls, subject }: { calls: readonly ApiCall[]; subject: string }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class="button small ghost"
        aria-haspopup="dialog"
        aria-label={`Show the call: ${subject}`}
        onClick={() => {
          setOpen(true)
          dialog.current?.showModal()
        }}
      >
        <span aria-hidden="true">{'</>'}</span> <span class="show-call-text">Show the call</span>
      </button>
      <Dialog
        title={calls.length === 1 ? 'The call' : 'The calls'}
        dialogRef={dialog}
        onClose={() => setOpen(false)}
      >
        {isOpen && (
          <>
            <CallsCode calls={calls} />
            <p class="quiet">
              Credentials come from the environment, and $TOKEN is an access token: see{' '}
              <a href="/docs/tokens">how to get one</a>.
            </p>
          </>
        )}
      </Dialog>
    </>
  )
}
