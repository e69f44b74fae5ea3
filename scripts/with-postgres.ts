import { spawn } from 'node:child_process'
import { findPostgres, startPostgres } from '../acceptance/support/postgres.ts'
import { missingText, testTools } from '../acceptance/support/test-tools.ts'

/**
 * Runs a command with a PostgreSQL of its own, whose address it finds in TEST_DATABASE_URL; one that is set already is
 * used as it is. The database ends with the command, or with this process.
 */
const [command, ...args] = process.argv.slice(2)
if (command === undefined) throw new Error('usage: node scripts/with-postgres.ts COMMAND ARGUMENT…')

const given = process.env['TEST_DATABASE_URL']
if (given === undefined && findPostgres() === undefined) {
  console.error(missingText(testTools.postgres))
  process.exit(1)
}
const cluster = given === undefined ? await startPostgres() : undefined
const child = spawn(command, args, {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: given ?? cluster?.url },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
const code = await new Promise<number>((resolve) => {
  child.on('error', (error) => {
    console.error(`${command} cannot be started: ${error.message}`)
    resolve(1)
  })
  child.on('exit', (status) => resolve(status ?? 1))
})
await cluster?.stop()
process.exit(code)
