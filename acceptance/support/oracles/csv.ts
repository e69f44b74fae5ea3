import assert from 'node:assert/strict'

/** Parses CSV (RFC 4180): one object per row, with the names of the header line as keys. */
export function parseCsv(text: string): Record<string, string>[] {
  const [header = [], ...lines] = readRows(text)
  return lines.map((cells) => {
    assert.equal(cells.length, header.length, `as many cells as columns: ${cells.join(',')}`)
    return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']))
  })
}

export function csvHeader(text: string): string[] {
  return readRows(text)[0] ?? []
}

/** Asserts that a cell has the value of the JSON body: empty for null, the same number or text otherwise. */
export function assertCell(cell: string | undefined, value: unknown): void {
  if (value === null) assert.equal(cell, '')
  else if (typeof value === 'number') assert.equal(Number(cell), value)
  else assert.equal(cell, typeof value === 'boolean' ? String(value) : value)
}

function readRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  // A cell with quotes (a quote inside is doubled) or without, and its terminator.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const found = cell.exec(text)
    assert.ok(found, `not CSV at ${at}: ${text.slice(at, at + 80)}`)
    const [, quoted, bare = '', ending] = found
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (ending === ',') continue
    rows.push(row)
    row = []
  }
  assert.deepEqual(row, [], 'no comma at the end')
  return rows
}
