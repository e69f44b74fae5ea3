/** What is asked for under one key while an answer is under way is asked for together, next. Answers in the order of the questions. */
export function gather<Q, A>(
  keyOf: (question: Q) => string,
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
): (question: Q) => Promise<A> {
  interface Waiting {
    question: Q
    resolve(answer: A): void
    reject(error: unknown): void
  }
  const queues = new Map<string, Waiting[]>()

  const answer = async (waiting: readonly Waiting[]): Promise<void> => {
    try {
      const answers = await ask(waiting.map(({ question }) => question))
      waiting.forEach(({ resolve }, index) => resolve(answers[index] as A))
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  const work = async (key: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) await answer(queue.splice(0))
    queues.delete(key)
  }

  return (question) =>
    new Promise((resolve, reject) => {
      const key = keyOf(question)
      const queue = queues.get(key)
      const waiting = { question, resolve, reject }
      if (queue) {
        queue.push(waiting)
        return
      }
      const own = [waiting]
      queues.set(key, own)
      void work(key, own)
    })
}
