import { startCitus } from '../acceptance/support/servers/citus.ts'
import { runWith } from './run-with.ts'

/**
 * Runs a command with a Citus of its own, a coordinator and two workers, whose address it finds in TEST_CITUS_URL; one that is
 * set already is used as it is. The first PostgreSQL on the path, or Debian's newest, has to have the extension installed.
 */
await runWith('TEST_CITUS_URL', startCitus)
