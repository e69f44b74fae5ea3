import { findPostgres, startPostgres } from '../acceptance/support/servers/postgres.ts'
import { missingText, testTools } from '../acceptance/support/servers/test-tools.ts'
import { runWith } from './run-with.ts'

/**
 * Runs a command with a PostgreSQL of its own, whose address it finds in TEST_DATABASE_URL; one that is set already is
 * used as it is.
 */
await runWith('TEST_DATABASE_URL', () => {
  if (findPostgres() === undefined) {
    console.error(missingText(testTools.postgres))
    process.exit(1)
  }
  return startPostgres()
})
