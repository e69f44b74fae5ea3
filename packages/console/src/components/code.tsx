import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

const SHOWN_MS = 2_000

/** Copies a text and confirms it. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }): JSX.Element {
  const [message, setMessage] = useState('')
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setMessage('Copied'),
      () => setMessage('Not copied'),
    )
    setTimeout(() => setMessage(''), SHOWN_MS)
  }
  return (
    <button type="button" class="button small" onClick={copy}>
      <span aria-live="polite">{message || label}</span>
    </button>
  )
}

export function CodeBlock({ code }: { code: string }): JSX.Element {
  return (
    <div class="code">
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} />
    </div>
  )
}

/** A short identifier that can be copied whole. */
export function Identifier({ value }: { value: string }): JSX.Element {
  return (
    <span class="identifier">
      <code title={value}>{value}</code>
    </span>
  )
}
