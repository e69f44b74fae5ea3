import { join } from 'node:path'

/**
 * Preloaded by runs of the unit and store tests: each file is a process, and each SQLite store has a thread, that would
 * otherwise strip the types of the same modules and compile them again.
 */
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/tests-compiled')
