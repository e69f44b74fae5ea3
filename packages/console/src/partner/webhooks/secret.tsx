import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { CodeBlock, CopyButton } from '../../components/code.tsx'
import { Choice } from '../devices/schedule/choice.tsx'

/** The key is read from the environment: a secret does not belong in a source file. */
const SNIPPETS = {
  typescript: `import { verifyWebhook } from '@portico/sdk'

// The body as it arrived, before any JSON parser.
const event = await verifyWebhook(body, request.headers, process.env.WEBHOOK_SECRET)`,
  python: `from portico import verify_webhook

# The body as it arrived, before any JSON parser.
event = verify_webhook(body, request.headers, os.environ["WEBHOOK_SECRET"])`,
} as const

type Language = keyof typeof SNIPPETS

/** A new secret, shown once, with the code that verifies signatures. */
export function SecretOnce({
  secret,
  note,
  onDone,
}: {
  secret: string
  note?: string
  onDone: () => void
}): JSX.Element {
  const [language, setLanguage] = useState<Language>('typescript')
  return (
    <div class="stack wide">
      <p class="note warning">
        Store this secret now. It is shown only here, and verifies that requests come from this server.
        {note && ` ${note}`}
      </p>
      <p class="secret">
        <code>{secret}</code> <CopyButton text={secret} label="Copy the secret" />
      </p>
      <Choice<Language>
        legend="Verify a request"
        options={[
          { value: 'typescript', name: 'TypeScript' },
          { value: 'python', name: 'Python' },
        ]}
        value={language}
        onChange={setLanguage}
      />
      <CodeBlock code={SNIPPETS[language]} />
      <p class="quiet">
        The libraries of Standard Webhooks verify the signatures too: see{' '}
        <a href="/docs/webhooks">Webhooks</a>.
      </p>
      <button type="button" class="button primary" onClick={onDone}>
        I have stored the secret
      </button>
    </div>
  )
}
