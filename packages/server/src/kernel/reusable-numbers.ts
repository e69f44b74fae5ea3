/**
 * Creates a function that returns a list of numbers, the same memory each time. Lists that live as long as one of several steps would
 * be collected late, and take as much memory as the steps together.
 */
export function reusableNumbers(): (length: number) => Float64Array {
  let numbers = new Float64Array()
  return (length) => {
    if (numbers.length < length) numbers = new Float64Array(length)
    return numbers.subarray(0, length)
  }
}
