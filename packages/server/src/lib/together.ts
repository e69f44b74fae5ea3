/** What is asked of one thing, answered for many at once. */
export type AskTogether<Q, A> = (question: Q, id: number) => Promise<A | undefined>

/** The same question about several things, asked in one turn of the event loop, is asked once for all of them. */
export function askTogether<Q, A>(
  keyOf: (question: Q) => string,
  ask: (question: Q, ids: readonly number[]) => Promise<ReadonlyMap<number, A>>,
): AskTogether<Q, A> {
  const waiting = new Map<string, { ids: Set<number>; answers: Promise<ReadonlyMap<number, A>> }>()

  const gather = (key: string, question: Q) => {
    const ids = new Set<number>()
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      waiting.delete(key)
      return ask(question, [...ids])
    })
    const group = { ids, answers }
    waiting.set(key, group)
    return group
  }

  return async (question, id) => {
    const key = keyOf(question)
    const group = waiting.get(key) ?? gather(key, question)
    group.ids.add(id)
    return (await group.answers).get(id)
  }
}
