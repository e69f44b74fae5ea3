import { startCitus } from '../acceptance/support/servers/citus.ts'
import { runWith } from './run-with.ts'

/**
 * Runs a command with a Citus cluster (a coordinator and two workers), passing its URL in TEST_CITUS_URL; if the
 * variable is already set, nothing is started. The first PostgreSQL on the path, or Debian's newest, must have the
 * extension installed.
 */
await runWith('TEST_CITUS_URL', startCitus)
