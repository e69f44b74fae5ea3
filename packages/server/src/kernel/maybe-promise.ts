/** A value, or a promise of it if computing it has to wait. With a value, no work is left for a later tick. */
export type MaybePromise<T> = T | Promise<T>

/** Calls `proceed` immediately with a value, or when the promise resolves. */
export const andThen = <T, R>(
  value: MaybePromise<T>,
  proceed: (value: T) => MaybePromise<R>,
): MaybePromise<R> => (value instanceof Promise ? value.then(proceed) : proceed(value))
