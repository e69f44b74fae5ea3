/**
 * Creates a function that returns a view of one reused buffer. A new buffer for each step of a computation would be
 * garbage-collected late, so the memory of all steps would add up.
 */
export function reusableNumbers(): (length: number) => Float64Array {
  let numbers = new Float64Array()
  return (length) => {
    if (numbers.length < length) numbers = new Float64Array(length)
    return numbers.subarray(0, length)
  }
}
