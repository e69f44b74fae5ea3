import { globSync } from 'node:fs'

export const BACKENDS = ['sqlite', 'postgres', 'citus'] as const
export type Backend = (typeof BACKENDS)[number]

/**
 * Files that run on SQLite only: apart from the credentials that every test needs, nothing they check comes from the
 * store. Tests of stored data, and tests that store unusual data, run on every backend.
 */
const BACKEND_INDEPENDENT = [
  // Request parsing and validation, before any lookup.
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
  // Outgoing requests to addresses that partners have chosen.
  'webhooks/addresses.test.ts',
  'webhooks/signatures.test.ts',
  // Counters in memory or in Redis; instances/ and postgres/ cover counters in PostgreSQL.
  'operations/limits-through-redis.test.ts',
  'overload/free-requests.test.ts',
  'overload/queueing.test.ts',
  'token/rate-limit-off.test.ts',
  'token/rate-limit.test.ts',
  'token/rate-limit-behind-proxies.test.ts',
  'v2/rate-limit.test.ts',
  'v2/request-cost.test.ts',
  // Token signing and stock clients.
  'clients/**/*.test.ts',
  'external-issuer.test.ts',
  // Output that needs no store: pages, API descriptions, flags, the log, the package.
  'command-line/completion.test.ts',
  'command-line/dev-cert.test.ts',
  'command-line/general.test.ts',
  'command-line/messages.test.ts',
  'command-line/rate-limit.test.ts',
  'coverage.test.ts',
  'deploy.test.ts',
  'migration/document.test.ts',
  'openapi-clients.test.ts',
  'openapi.test.ts',
  'operations/configuration.test.ts',
  'operations/log.test.ts',
  'operations/metrics.test.ts',
  'operations/terminal.test.ts',
  'overload/metrics.test.ts',
  'overload/refusals.test.ts',
  'package.test.ts',
  'pages/**/*.test.ts',
  'sdk/{control,package,python,reads,runtimes}.test.ts',
  // Pages of the console in a browser: they show what the APIs return, which other files test on every backend.
  // Sign-in, sessions, links and limits of the console are stored, so their files run on every backend.
  'console/charts.test.ts',
  'console/device*.test.ts',
  'console/large.test.ts',
  'console/operator*.test.ts',
  'console/partners.test.ts',
  'console/shown-calls.test.ts',
  'console/spaces.test.ts',
  // Commands that call the operator API, which operator/ tests on every backend.
  'command-line/remote.test.ts',
  // Connection handling.
  'overload/connections.test.ts',
  'overload/pipelining.test.ts',
  'overload/slow-readers.test.ts',
  // The broker's sockets.
  'mqtt/ports.test.ts',
  'mqtt/slow-clients.test.ts',
  'mqtt/tls.test.ts',
  'overload/mqtt-gateway.test.ts',
  'overload/mqtt-sign-on.test.ts',
]

/** Tests of the SQLite file; postgres/ has their counterparts. */
const SQLITE_FILE = [
  'command-line/upgrade.test.ts',
  'durability/corruption.test.ts',
  'durability/full-disk.test.ts',
  'durability/locked-store.test.ts',
  'durability/maintenance.test.ts',
  'durability/power-cut.test.ts',
  'mqtt/store-outage.test.ts',
]

/**
 * Repeats parts of the suite on worker processes that forward writes to the process that owns the file; on other
 * backends each process writes directly.
 */
const FORWARDED_WRITES = ['workers/suite-on-workers.test.ts']

/** Copies from a SQLite file to the database named in the environment, or to one that the test starts. */
const COPY = ['copy/**/*.test.ts']

/** Tests that start their own PostgreSQL or Citus. */
const OWN_DATABASE = ['instances/**/*.test.ts']

const POSTGRES = ['postgres/**/*.test.ts']

/** Outage of the whole database; on Citus, citus/ tests the outage of a single node. */
const WHOLE_DATABASE_OUTAGE = ['postgres/outage.test.ts']
const CITUS = ['citus/**/*.test.ts']

const SQLITE_ONLY = [...BACKEND_INDEPENDENT, ...SQLITE_FILE, ...FORWARDED_WRITES, ...COPY]

const EXCLUDED: Record<Backend, readonly string[]> = {
  sqlite: [...POSTGRES, ...CITUS],
  postgres: [...SQLITE_ONLY, ...OWN_DATABASE, ...CITUS],
  citus: [...SQLITE_ONLY, ...WHOLE_DATABASE_OUTAGE],
}

/** Paths of the test files that run on a backend. */
export function filesFor(backend: Backend): string[] {
  const cwd = import.meta.dirname
  const left = new Set(EXCLUDED[backend].flatMap((pattern) => globSync(pattern, { cwd })))
  return globSync('**/*.test.ts', { cwd, exclude: ['node_modules'] })
    .filter((file) => !left.has(file))
    .map((file) => `acceptance/${file}`)
}
