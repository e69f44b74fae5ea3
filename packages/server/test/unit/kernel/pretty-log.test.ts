import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPrettyOutput } from '../../../src/kernel/pretty-log.ts'

function format(line: string, isColoured = false): string {
  let written = ''
  createPrettyOutput({ write: (text) => void (written += text) }, { isColoured }).write(line)
  return written
}

const TIME = '"time":"2026-11-15T12:00:00.000Z"'

test('a request is method, path, status and milliseconds', () => {
  const line = `{"level":"info",${TIME},"traceId":"t","method":"GET","path":"/v2/sites","status":200,"ms":1.5,"msg":"request"}`
  assert.match(format(line), /^\d\d:\d\d:\d\d INFO {2}GET \/v2\/sites 200 1.5 ms\n$/)
})

test('other lines have their fields, and errors their stack', () => {
  const line = `{"level":"warn",${TIME},"code":7,"err":{"message":"no","stack":"Error: no\\n    at x"},"msg":"failed"}`
  assert.match(format(line), /WARN {2}failed code=7\n {4}Error: no\n {4}at x\n$/)
})

test('escape sequences of a caller do not reach the terminal', () => {
  const line = `{"level":"info",${TIME},"method":"GET","path":"/\\u001b[2J\\n","status":404,"ms":1,"msg":"request"}`
  assert.match(format(line), /GET \/\\x1b\[2J\\x0a 404/)
})

test('a line that is not JSON is written as it is', () => {
  assert.equal(format('plain\n'), 'plain\n')
})
