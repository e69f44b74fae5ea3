import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** The result of a change, visible and announced. It takes the focus if the control that made the change is gone. */
export function useNotice(): { notice: JSX.Element; say: (text: string) => void } {
  const region = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState({ text: '', count: 0 })
  useEffect(() => {
    if (said.count === 0) return
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) region.current?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [said])
  return {
    notice: (
      <div class="notice" role="status" tabIndex={-1} ref={region}>
        {said.text && <p class="note good">{said.text}</p>}
      </div>
    ),
    say: (text) => setSaid(({ count }) => ({ text, count: count + 1 })),
  }
}
