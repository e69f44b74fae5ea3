import { findPostgres, startPostgres } from '../acceptance/support/servers/postgres.ts'
import { missingText, testTools } from '../acceptance/support/servers/test-tools.ts'
import { runWith } from './run-with.ts'

/**
 * Runs a command with a temporary PostgreSQL, passing its URL in TEST_DATABASE_URL; if the variable is already set,
 * nothing is started.
 */
await runWith('TEST_DATABASE_URL', () => {
  if (findPostgres() === undefined) {
    console.error(missingText(testTools.postgres))
    process.exit(1)
  }
  return startPostgres()
})
