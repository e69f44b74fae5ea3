import { globSync } from 'node:fs'

export const BACKENDS = ['sqlite', 'postgres', 'citus'] as const
export type Backend = (typeof BACKENDS)[number]

/**
 * What runs on SQLite alone: files in which nothing that is looked at comes out of the store, beyond the credentials that every test
 * begins with. Whatever is about stored data, and whatever puts strange data where they are stored, runs on all.
 */
const ALIKE_ON_EVERY_STORE = [
  // How a request is read and refused before anything is looked up.
  'bearer/expired.test.ts',
  'bearer/forged.test.ts',
  'bearer/header.test.ts',
  'operations/absolute-form.test.ts',
  'operations/http-limits.test.ts',
  'operations/security-headers.test.ts',
  'overload/parsing.test.ts',
  'token/correlation.test.ts',
  'token/error-body.test.ts',
  'token/error-pages.test.ts',
  'token/errors.test.ts',
  'token/http-basic.test.ts',
  'token/validation-order.test.ts',
  'token/request-body.test.ts',
  'token/scope.test.ts',
  'v2/parameters.test.ts',
  // Counted in memory or in Redis; what PostgreSQL counts is in instances/ and postgres/.
  'operations/limits-through-redis.test.ts',
  'overload/free-requests.test.ts',
  'overload/queueing.test.ts',
  'token/rate-limit-off.test.ts',
  'token/rate-limit.test.ts',
  'token/rate-limit-behind-proxies.test.ts',
  'v2/rate-limit.test.ts',
  'v2/request-cost.test.ts',
  // Who signs, and who understands it.
  'clients/**/*.test.ts',
  'external-issuer.test.ts',
  // What is said without a store: pages, descriptions, flags, the log, the package.
  'command-line/dev-cert.test.ts',
  'command-line/general.test.ts',
  'coverage.test.ts',
  'migration/document.test.ts',
  'openapi.test.ts',
  'operations/configuration.test.ts',
  'operations/log.test.ts',
  'operations/metrics.test.ts',
  'overload/metrics.test.ts',
  'overload/refusals.test.ts',
  'package.test.ts',
  'pages/**/*.test.ts',
  // Behaviour of connections, which does not depend on the backend.
  'overload/connections.test.ts',
  'overload/pipelining.test.ts',
  'overload/slow-readers.test.ts',
  // Sockets of the broker.
  'mqtt/ports.test.ts',
  'mqtt/slow-clients.test.ts',
  'mqtt/takeover.test.ts',
  'mqtt/tls.test.ts',
  'overload/mqtt-gateway.test.ts',
  'overload/mqtt-sign-on.test.ts',
]

/** What is about the file that SQLite keeps its data in; what PostgreSQL has instead is in postgres/. */
const ABOUT_THE_FILE = [
  'durability/corruption.test.ts',
  'durability/full-disk.test.ts',
  'durability/locked-store.test.ts',
  'durability/maintenance.test.ts',
  'durability/power-cut.test.ts',
  'mqtt/store-outage.test.ts',
]

/** Parts of the suite once more, on processes that hand their writes to the one that has the file: elsewhere each writes by itself. */
const WITH_A_WRITER = ['workers/suite-on-workers.test.ts']

/** What begins with a file and goes on to the database that the environment names, or to one of its own. */
const FROM_A_FILE = ['copy/**/*.test.ts']

/** What starts a PostgreSQL for itself, or a Citus. */
const WITH_THEIR_OWN = ['instances/**/*.test.ts']

const ABOUT_POSTGRES = ['postgres/**/*.test.ts']

/** A database as a whole that is away; of a Citus, one of its nodes is. */
const ABOUT_ONE_NODE = ['postgres/outage.test.ts']
const ABOUT_CITUS = ['citus/**/*.test.ts']

const SQLITE_ALONE = [...ALIKE_ON_EVERY_STORE, ...ABOUT_THE_FILE, ...WITH_A_WRITER, ...FROM_A_FILE]

const EXCLUDED: Record<Backend, readonly string[]> = {
  sqlite: [...ABOUT_POSTGRES, ...ABOUT_CITUS],
  postgres: [...SQLITE_ALONE, ...WITH_THEIR_OWN, ...ABOUT_CITUS],
  citus: [...SQLITE_ALONE, ...ABOUT_ONE_NODE],
}

/** The test files of a backend, as paths. */
export function filesFor(backend: Backend): string[] {
  const cwd = import.meta.dirname
  const left = new Set(EXCLUDED[backend].flatMap((pattern) => globSync(pattern, { cwd })))
  return globSync('**/*.test.ts', { cwd, exclude: ['node_modules'] })
    .filter((file) => !left.has(file))
    .map((file) => `acceptance/${file}`)
}
