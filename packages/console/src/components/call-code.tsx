import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { ApiCall } from '../api.ts'
import { type CallCode, toCode } from '../show-call.ts'
import { CodeBlock } from './code.tsx'

const LANGUAGES = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
] as const satisfies readonly (readonly [keyof CallCode, string])[]

/** Calls as code, in the language that is chosen. */
export function CallsCode({ calls }: { calls: readonly ApiCall[] }): JSX.Element {
  const name = useId()
  const [language, setLanguage] = useState<keyof CallCode>('curl')
  return (
    <>
      <fieldset class="choice">
        <legend class="hidden">Language</legend>
        {LANGUAGES.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={language === value}
              onChange={() => setLanguage(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {calls.map((call) => (
        <CodeBlock key={JSON.stringify(call)} code={toCode(call, location.origin)[language]} />
      ))}
    </>
  )
}
