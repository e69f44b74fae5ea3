import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { ApiCall } from '../api.ts'
import { toCode } from '../show-call.ts'
import { CodeBlock } from './code.tsx'
import { Dialog } from './dialog.tsx'

const LANGUAGES = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
] as const

/** A button that shows the requests behind a panel as code. */
export function ShowCall({ calls, subject }: { calls: readonly ApiCall[]; subject: string }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [language, setLanguage] = useState<(typeof LANGUAGES)[number][0]>('curl')
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
        <span aria-hidden="true">{'</>'}</span> Show the call
      </button>
      <Dialog
        title={calls.length === 1 ? 'The call' : 'The calls'}
        dialogRef={dialog}
        onClose={() => setOpen(false)}
      >
        {isOpen && (
          <>
            <fieldset class="choice">
              <legend class="hidden">Language</legend>
              {LANGUAGES.map(([value, name]) => (
                <label key={value}>
                  <input
                    type="radio"
                    name="call-language"
                    checked={language === value}
                    onChange={() => setLanguage(value)}
                  />
                  <span>{name}</span>
                </label>
              ))}
            </fieldset>
            {calls.map((call) => (
              <CodeBlock key={JSON.stringify(call)} code={toCode(call, location.origin)[language]} />
            ))}
            <p class="quiet">
              Credentials come from the environment: see <a href="/docs">the documentation</a>.
            </p>
          </>
        )}
      </Dialog>
    </>
  )
}
