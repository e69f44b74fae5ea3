const noElement = (index: number, length: number): RangeError =>
  new RangeError(`No element ${index} in a list of ${length}.`)

/** The element at an index that exists. Throws otherwise: a default would turn a wrong index into a plausible value. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index]
  if (element === undefined) throw noElement(index, list.length)
  return element
}

/*
 * `at` for loops over numbers, one function per kind of list. V8 compiles an access that has seen few kinds of list
 * into a bounds check and a load. The access in `at` sees all kinds, and allocates a number for each float it returns.
 */

/** For lists of readings. */
export function numberAt(list: ArrayLike<number>, index: number): number {
  const element = list[index]
  if (element === undefined) throw noElement(index, list.length)
  return element
}

export function float64At(list: Float64Array, index: number): number {
  const element = list[index]
  if (element === undefined) throw noElement(index, list.length)
  return element
}

export function int32At(list: Int32Array, index: number): number {
  const element = list[index]
  if (element === undefined) throw noElement(index, list.length)
  return element
}

export function byteAt(list: Uint8Array, index: number): number {
  const element = list[index]
  if (element === undefined) throw noElement(index, list.length)
  return element
}

export function float32At(list: Float32Array, index: number): number {
  const element = list[index]
  if (element === undefined) throw noElement(index, list.length)
  return element
}
