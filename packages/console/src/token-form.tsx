import type { JSX } from 'preact'
import { Field } from './components/form.tsx'
import { Page } from './components/page.tsx'
import { ErrorNote } from './components/states.tsx'
import { useAction } from './resource.ts'
import { signInWithToken } from './session.ts'

/** Asks for an access token, if an external issuer supplies them. */
export function TokenForm(): JSX.Element {
  const enter = useAction(signInWithToken)
  return (
    <Page
      title="Sign in to the console"
      lead="This installation accepts tokens of an external issuer. The console keeps the token in memory only, and asks for another one when the page is reloaded."
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const value = new FormData(event.currentTarget).get('token')
          if (typeof value === 'string') void enter.run(value.trim())
        }}
      >
        <Field label="Access token">
          {(props) => (
            <textarea {...props} name="token" rows={6} required autocomplete="off" spellcheck={false} />
          )}
        </Field>
        {enter.error && <ErrorNote error={enter.error} />}
        <button class="button primary" disabled={enter.isRunning}>
          Sign in
        </button>
      </form>
    </Page>
  )
}
