/** Long lists as PostgreSQL writes them: the driver takes several times as long to write an array. */

export const numberList = (numbers: readonly number[]): string => `{${numbers.join(',')}}`

/** JavaScript writes a negative zero without its sign. */
export const doubleList = (numbers: readonly number[]): string =>
  `{${numbers.map((number) => (Object.is(number, -0) ? '-0' : number)).join(',')}}`

export const byteList = (blobs: readonly Uint8Array[]): string =>
  `{${blobs.map((bytes) => `"\\\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}"`).join(',')}}`
