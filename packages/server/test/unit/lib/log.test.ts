import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../../src/lib/log.ts'

function linesOf(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = []
  write(createLog('info', { write: (line: string) => void lines.push(line) }))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('a line has its level, its time and what it says', () => {
  const [line] = linesOf((log) => log.info({ a: 1 }, 'said'))
  assert.equal(line?.['level'], 'info')
  assert.equal(line['msg'], 'said')
  assert.equal(line['a'], 1)
  const time = String(line['time'])
  assert.equal(new Date(time).toISOString(), time)
})

test('values that are secret by their name are hidden, also one level down and on errors', () => {
  const entry = { token: 's3cret', partner: { clientSecret: 's3cret', name: 'P' }, other: 1 }
  const lines = linesOf((log) => {
    log.info(entry, 'said')
    log.warn({ err: Object.assign(new Error('it broke'), { authorization: 's3cret', code: 'E1' }) }, 'failed')
  })
  assert.doesNotMatch(JSON.stringify(lines), /s3cret/)
  assert.deepEqual(lines[0]?.['partner'], { clientSecret: '[redacted]', name: 'P' })
  assert.equal(lines[0]['other'], 1)
  const error = lines[1]?.['err'] as Record<string, unknown>
  assert.equal(error['message'], 'it broke')
  assert.equal(error['code'], 'E1')
  assert.equal(entry.token, 's3cret', 'what was logged is not changed')
})
