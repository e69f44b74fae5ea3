import { type Signal, useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A held key passes many windows; only the one where it stops is announced. */
const DEBOUNCE_MS = 250

/** Text for a live region, and a function that changes it once the changes pause. */
export function useSpoken(): [text: Signal<string>, say: (text: string) => void] {
  const text = useSignal('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const say = (next: string): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => (text.value = next), DEBOUNCE_MS)
  }
  return [text, say]
}

export function Spoken({ text }: { text: Signal<string> }): VNode {
  return (
    <div class="chart-spoken" role="status" aria-live="polite">
      {text}
    </div>
  )
}
