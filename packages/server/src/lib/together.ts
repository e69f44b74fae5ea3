/**
 * What is asked for under one key in one turn of the event loop is asked for together, at its end. Answers in the order of the
 * questions; each is as fresh as if it had been asked alone.
 */
export function askTogether<Q, A>(
  keyOf: (question: Q) => string,
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
): (question: Q) => Promise<A> {
  const waiting = new Map<string, { questions: Q[]; answers: Promise<readonly A[]> }>()

  const begin = (key: string) => {
    const questions: Q[] = []
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      waiting.delete(key)
      return ask(questions)
    })
    const group = { questions, answers }
    waiting.set(key, group)
    return group
  }

  return async (question) => {
    const key = keyOf(question)
    const { questions, answers } = waiting.get(key) ?? begin(key)
    const place = questions.push(question) - 1
    return (await answers)[place] as A
  }
}
