/** A value, or a promise of it where something has to wait. A value means done: nothing is left for a later tick. */
export type MaybePromise<T> = T | Promise<T>

/** Continues with a value immediately, or when the promise resolves. */
export const andThen = <T, R>(
  value: MaybePromise<T>,
  proceed: (value: T) => MaybePromise<R>,
): MaybePromise<R> => (value instanceof Promise ? value.then(proceed) : proceed(value))
