/** The element at an index that exists. Throws otherwise: a default would turn a wrong index into a plausible value. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index]
  if (element === undefined) throw new RangeError(`No element ${index} in a list of ${list.length}.`)
  return element
}
