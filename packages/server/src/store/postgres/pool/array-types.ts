/** For `sql.array`: postgres.js infers bytea for a list of blobs, and boolean for a list of booleans. */
export const BYTEA_ARRAY = 1001
export const BOOLEAN_ARRAY = 1000

/**
 * OIDs of the array types that the schema uses. postgres.js can query them, but in 3.4.9 a connection that is lost
 * during this query ends the process.
 */
const ARRAYS = [
  { array: BOOLEAN_ARRAY, parse: (text: string): unknown => text === 't' }, // boolean
  { array: BYTEA_ARRAY, parse: (text: string): unknown => Buffer.from(text.slice(4, -1), 'hex') }, // bytea
  { array: 1007, parse: Number }, // integer
  { array: 1009, parse: String }, // text
  { array: 1016, parse: Number }, // bigint
  { array: 1022, parse: Number }, // double precision
  { array: 2951, parse: String }, // uuid
]

export const ARRAY_TYPES = Object.fromEntries(
  ARRAYS.map(({ array, parse }) => [
    `array${array}`,
    {
      to: array,
      from: [array],
      serialize: (values: readonly ArrayElement[]): string => `{${values.map(written).join()}}`,
      parse: (text: string): unknown[] =>
        splitElements(text).map((part) => (part === 'NULL' ? null : parse(part))),
    },
  ]),
)

type ArrayElement = string | number | boolean | Uint8Array | null

function written(value: ArrayElement): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`
  return `"${String(value).replace(/["\\]/g, '\\$&')}"`
}

/** One dimension; only bytea elements are quoted. No query returns an array of texts. */
const splitElements = (text: string): string[] => (text === '{}' ? [] : text.slice(1, -1).split(','))
