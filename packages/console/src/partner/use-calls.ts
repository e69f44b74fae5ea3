import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiCall, send } from '../api.ts'

/** The responses to several calls, in order; undefined until they arrive. Each call is sent once. */
export function useCalls<T>(calls: readonly ApiCall[]): (T | undefined)[] {
  const keys = calls.map((call) => JSON.stringify(call))
  const [answers, setAnswers] = useState<ReadonlyMap<string, T>>(new Map())
  const sent = useRef(new Set<string>())
  useEffect(() => {
    for (const [index, key] of keys.entries()) {
      const call = calls[index]
      if (!call || sent.current.has(key)) continue
      sent.current.add(key)
      send<T>(call).then(
        ({ data }) => setAnswers((held) => new Map(held).set(key, data)),
        // It is sent again when the page requests it.
        () => sent.current.delete(key),
      )
    }
  }, [keys.join('\n')])
  return keys.map((key) => answers.get(key))
}
