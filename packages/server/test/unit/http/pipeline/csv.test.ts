import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCsv } from '../../../../src/http/pipeline/csv.ts'

test('cells are quoted if necessary, null is empty, lists are joined, formulas are neutralised', () => {
  const rows = [
    { a: 'x,"y"', b: null, c: ['p', 'q'], d: -1.5 },
    { a: '=1+1', b: true, c: [], d: { k: 1 } },
  ]
  assert.equal(
    toCsv(['a', 'b', 'c', 'd'], rows),
    'a,b,c,d\r\n"x,""y""",,p q,-1.5\r\n\'=1+1,true,,"{""k"":1}"\r\n',
  )
})
