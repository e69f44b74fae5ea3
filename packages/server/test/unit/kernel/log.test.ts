import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAccessLog } from '../../../src/kernel/access-log.ts'
import { createLog, type LogOptions } from '../../../src/kernel/log.ts'

function captureLines(
  write: (log: ReturnType<typeof createLog>, options: LogOptions) => void,
  { worker }: { worker?: number | undefined } = {},
): Record<string, unknown>[] {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const options = { destination, ...(worker === undefined ? {} : { worker }) }
  write(createLog('info', options), options)
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('a line has its level, its time and its message', () => {
  const [line] = captureLines((log) => log.info({ a: 1 }, 'said'))
  assert.equal(line?.['level'], 'info')
  assert.equal(line['msg'], 'said')
  assert.equal(line['a'], 1)
  const time = String(line['time'])
  assert.equal(new Date(time).toISOString(), time)
})

test('values with secret names are redacted, also one level down and on errors', () => {
  const entry = { token: 's3cret', partner: { clientSecret: 's3cret', name: 'P' }, other: 1 }
  const lines = captureLines((log) => {
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

test('an access log entry is what pino would have written', () => {
  const text = fc.string({ unit: 'binary' })
  const maybe = <T>(given: fc.Arbitrary<T>) => fc.option(given, { nil: undefined })
  const ms = fc.double({ noNaN: true, min: 0, max: 1e6 })
  const entries = fc.record({ path: text, status: fc.nat(599), ms, address: text, clientId: maybe(text) })
  fc.assert(
    fc.property(entries, maybe(fc.nat(9)), (given, worker) => {
      const line = { traceId: '2f0e', method: 'GET', ...given }
      const write = (log: ReturnType<typeof createLog>, options: LogOptions): void => {
        const accessLog = createAccessLog(log, options)
        accessLog.write('info', line)
        log.info({ ...line, ms: Math.round(line.ms * 10) / 10 }, 'request')
        accessLog.write('debug', line)
      }
      const written = captureLines(write, { worker })
      const [own, usual] = written.map(({ time: _time, ...rest }) => rest)
      assert.deepEqual(own, usual)
      assert.deepEqual(Object.keys(own ?? {}), Object.keys(usual ?? {}))
      assert.equal(written.length, 2)
    }),
  )
})
