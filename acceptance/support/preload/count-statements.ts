// Preloaded into the server, this counts the SQL statements that its main thread executes. SIGUSR2 writes their number
// to STATEMENT_COUNT_FILE.
import { renameSync, writeFileSync } from 'node:fs'
import { StatementSync } from 'node:sqlite'
import { isMainThread } from 'node:worker_threads'

const file = process.env['STATEMENT_COUNT_FILE']

if (isMainThread && file !== undefined) {
  let count = 0
  const countCalls = <Execute extends (...args: never[]) => unknown>(execute: Execute): Execute =>
    new Proxy(execute, {
      apply(target, statement, args) {
        count += 1
        return Reflect.apply(target, statement, args)
      },
    })
  const { prototype } = StatementSync
  prototype.all = countCalls(prototype.all)
  prototype.get = countCalls(prototype.get)
  prototype.iterate = countCalls(prototype.iterate)
  prototype.run = countCalls(prototype.run)
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.part`, String(count))
    renameSync(`${file}.part`, file)
  })
}
