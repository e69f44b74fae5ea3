import { RECORDS_PER_PIECE } from './streamed-body.ts'

/** An array in a JSON document whose records are converted when their piece is generated. */
export class JsonRecords<T> {
  readonly items: readonly T[]
  readonly toWire: (item: T) => object

  constructor(items: readonly T[], toWire: (item: T) => object) {
    this.items = items
    this.toWire = toWire
  }
}

/** The text that JSON.stringify would produce for the document, with each JsonRecords as an array. */
export function* jsonPieces(document: Readonly<Record<string, object>>): Generator<string> {
  let opening = '{'
  for (const [name, value] of Object.entries(document)) {
    const key = `${opening}${JSON.stringify(name)}:`
    if (value instanceof JsonRecords) yield* arrayPieces(key, value)
    else yield key + JSON.stringify(value)
    opening = ','
  }
  yield opening === '{' ? '{}' : '}'
}

function* arrayPieces<T>(key: string, { items, toWire }: JsonRecords<T>): Generator<string> {
  let opening = `${key}[`
  for (let from = 0; from < items.length; from += RECORDS_PER_PIECE) {
    const records = items.slice(from, from + RECORDS_PER_PIECE)
    yield opening + records.map((item) => JSON.stringify(toWire(item))).join(',')
    opening = ','
  }
  yield items.length === 0 ? `${opening}]` : ']'
}
