import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'

const PACKAGES = join(import.meta.dirname, '../../..')

interface Import {
  from: string
  to: string
}

/** Import specifiers in source files, local ones as a path below packages/. The pattern captures the specifier. */
const findImports = (pattern: RegExp): Import[] =>
  globSync('*/src/**/*.ts', { cwd: PACKAGES }).flatMap((from) =>
    [...readFileSync(join(PACKAGES, from), 'utf8').matchAll(pattern)].map(([, specifier = '']) => ({
      from,
      to: specifier.startsWith('.')
        ? join(dirname(from), specifier)
        : specifier.replace(/^@portico\/(\w+)\/(.*)$/, '$1/src/$2.ts'),
    })),
  )

const imports = findImports(/\b(?:from |import |import\()'([^'\n]+)'/g)
/** Those that load a module together with the importing one. */
const loadingImports = findImports(/^(?:import|export) (?!type )[^'`;]*?from '([^'\n]+)'/gm)

const DOMAIN_FOLDERS = [
  'audit',
  'calendar',
  'carbon',
  'command',
  'device',
  'gateway',
  'image',
  'instance',
  'inventory',
  'limit',
  'metric',
  'migration',
  'partner',
  'presence',
  'reading',
  'rejected',
  'site',
  'telemetry',
  'weather',
]
const DOMAIN = [...DOMAIN_FOLDERS, 'token'].map((folder) => `server/src/${folder}/`)
const BELOW_TELEMETRY = DOMAIN.filter((folder) => folder !== 'server/src/telemetry/')
const BASE = ['server/src/lib/', 'server/src/errors.ts', 'node:']

/** From a folder: what it may import. A folder below another is judged by the longer rule. */
const RULES: Record<string, string[]> = {
  'wire/src/': ['wire/src/', 'typebox'],
  'server/src/lib/': ['server/src/lib/', 'node:', 'pino'],
  'server/src/errors.ts': [],
  ...Object.fromEntries(DOMAIN_FOLDERS.map((folder) => [`server/src/${folder}/`, [...BASE, ...DOMAIN]])),
  'server/src/token/': [...BASE, ...DOMAIN, 'jose'],
  'server/src/limit/': [...BASE, ...DOMAIN, '@redis/client'],
  'server/src/calendar/': ['server/src/lib/'],
  'server/src/telemetry/rollup/': [...BASE, ...BELOW_TELEMETRY, 'server/src/telemetry/rollup/'],
  'server/src/telemetry/series/': [
    ...BASE,
    ...BELOW_TELEMETRY,
    'server/src/telemetry/rollup/',
    'server/src/telemetry/series/',
  ],
  'server/src/telemetry/insight/': [...BASE, ...BELOW_TELEMETRY, 'server/src/telemetry/'],
  'server/src/config/': ['server/src/config/', ...DOMAIN, 'node:'],
  'server/src/copy/': ['server/src/copy/', 'server/src/store/transfer', ...BASE],
  'server/src/ingest/': ['server/src/ingest/', ...BASE, ...DOMAIN],
  'server/src/http/': [
    'server/src/http/',
    'server/src/ingest/',
    'server/src/config/config.ts',
    'server/src/health.ts',
    'server/src/http-metrics.ts',
    'server/src/metrics.ts',
    ...BASE,
    ...DOMAIN,
    'wire/src/',
    'fastify',
    '@fastify/',
    '@scalar/',
    'typebox',
  ],
  'server/src/mqtt/': [
    'server/src/mqtt/',
    'server/src/ingest/judge.ts',
    'server/src/metrics.ts',
    ...BASE,
    ...DOMAIN,
    'wire/src/mqtt/',
    'typebox',
    'aedes',
    'mqtt',
  ],
  'server/src/store/sqlite/': [
    'server/src/store/sqlite/',
    'server/src/store/damage',
    'server/src/store/maintenance.ts',
    'server/src/store/store.ts',
    'server/src/store/transfer',
    ...BASE,
    ...DOMAIN,
    'jose',
  ],
  'server/src/store/postgres/': [
    'server/src/store/postgres/',
    'server/src/store/damage',
    'server/src/store/maintenance.ts',
    'server/src/store/store.ts',
    'server/src/store/transfer',
    ...BASE,
    ...DOMAIN,
    'jose',
    'postgres',
  ],
  'server/src/workers/': [
    'server/src/workers/',
    'server/src/background.ts',
    'server/src/config/config.ts',
    'server/src/create-limits.ts',
    'server/src/create-services.ts',
    'server/src/health.ts',
    'server/src/http-metrics.ts',
    'server/src/metrics.ts',
    'server/src/report-damage.ts',
    'server/src/report-maintenance.ts',
    'server/src/runtime.ts',
    'server/src/store/open.ts',
    'server/src/store/store.ts',
    'server/src/store/transfer.ts',
    'server/src/tls.ts',
    'server/src/web.ts',
    ...BASE,
    ...DOMAIN,
    'prom-client',
  ],
  'server/src/demo/': [
    'server/src/demo/',
    'server/src/demo-port.ts',
    'server/src/config/config.ts',
    'server/src/http/operator/inventory/convert.ts',
    'server/src/http/services.ts',
    'server/src/mqtt/connection.ts',
    'server/src/mqtt/topics.ts',
    'server/src/store/open.ts',
    'server/src/store/shared.ts',
    'server/src/store/store.ts',
    'server/src/workers/link.ts',
    ...BASE,
    ...DOMAIN,
    'wire/src/',
    'typebox',
  ],
  'cli/src/': [
    'cli/src/',
    'server/src/operator',
    'server/src/serve',
    'server/src/demo/demo',
    'server/src/describe-apis',
    'server/src/doctor',
    'server/src/errors',
    'server/src/http/operator/inventory/document',
    'server/src/mqtt/connection',
    'server/src/config/',
    'server/src/partner/',
    'server/src/lib/ids',
    'node:',
    '@clack/prompts',
    '@peculiar/x509',
    'reflect-metadata',
  ],
}

const ruleFor = (from: string): string | undefined =>
  Object.keys(RULES)
    .filter((room) => from.startsWith(room))
    .toSorted((a, b) => b.length - a.length)[0]

describe('what may import what', () => {
  for (const [room, allowed] of Object.entries(RULES)) {
    test(`${room} imports only what it may`, () => {
      const own = imports.filter(({ from }) => ruleFor(from) === room)
      const broken = own.filter(({ to }) => !allowed.some((prefix) => to.startsWith(prefix)))
      assert.deepEqual(broken, [])
      const files = globSync('*/src/**/*.ts', { cwd: PACKAGES })
      assert.ok(
        files.some((file) => file.startsWith(room)),
        'the rule watches something',
      )
    })
  }

  const KNOWN_IN: Record<string, string> = {
    aedes: 'server/src/mqtt/embedded-broker.ts',
    mqtt: 'server/src/mqtt/connection.ts',
    'mqtt-packet': 'server/src/mqtt/mqtt.ts',
    postgres: 'server/src/store/postgres/line.ts',
    '@redis/client': 'server/src/limit/redis.ts',
  }
  for (const [library, home] of Object.entries(KNOWN_IN)) {
    test(`only ${home} knows ${library}`, () => {
      const from = imports.filter(({ to }) => to === library).map((one) => one.from)
      assert.deepEqual(from, [home])
    })
  }

  test('operator.ts, which every command loads, loads no framework', () => {
    const loaded = new Set(['server/src/operator.ts'])
    // Iteration over a set includes what is added meanwhile.
    for (const file of loaded) for (const { from, to } of loadingImports) if (from === file) loaded.add(to)
    assert.ok(loaded.has('server/src/store/sqlite/store.ts'), 'the imports were followed')
    for (const library of ['fastify', 'typebox', 'typebox/compile', 'mqtt', 'prom-client', 'pino'])
      assert.ok(!loaded.has(library), `${library} costs every command its loading time`)
  })

  test('the client of Redis is loaded by who uses it alone', () => {
    const text = readFileSync(join(PACKAGES, 'server/src/create-limits.ts'), 'utf8')
    assert.match(text, /await import\('\.\/limit\/redis\.ts'\)/)
    const from = imports.filter(({ to }) => to === 'server/src/limit/redis.ts').map((one) => one.from)
    assert.deepEqual(from, ['server/src/create-limits.ts'])
  })

  test('no circle of imports, type imports included', () => {
    const targets = Map.groupBy(imports, ({ from }) => from)
    const inCircles = [...targets.keys()].filter((file) => {
      // Iteration over a set includes what is added meanwhile.
      const reached = new Set((targets.get(file) ?? []).map(({ to }) => to))
      for (const next of reached) for (const { to } of targets.get(next) ?? []) reached.add(to)
      return reached.has(file)
    })
    assert.deepEqual(inCircles, [])
  })

  test('the code of the writer thread is imported by writer.ts alone, and only its types', () => {
    const thread = 'server/src/store/sqlite/thread/'
    const isInto = ({ from, to }: Import): boolean => to.startsWith(thread) && !from.startsWith(thread)
    assert.deepEqual(imports.filter(isInto), [
      { from: 'server/src/store/sqlite/writer.ts', to: `${thread}writes.ts` },
    ])
    assert.deepEqual(loadingImports.filter(isInto), [])
  })

  test('a version of the API never imports another', () => {
    const surface = /server\/src\/http\/(v\d)\//
    const crossed = imports.filter(({ from, to }) => {
      const [here, there] = [surface.exec(from)?.[1], surface.exec(to)?.[1]]
      return here !== undefined && there !== undefined && here !== there
    })
    assert.deepEqual(crossed, [])
  })
})

/** Global sources of surprise, each with the one file of the server that may touch it. */
const SOURCES: [what: string, pattern: RegExp, home: string][] = [
  ['the environment', /process\.env/, 'server/src/config/config.ts'],
  ['the time', /Date\.now\(|new Date\(\)/, 'server/src/lib/clock.ts'],
  ['random values', /randomUUID\(|randomBytes\(/, 'server/src/lib/ids.ts'],
]

for (const [what, pattern, home] of SOURCES) {
  test(`only ${home} touches ${what}`, () => {
    const files = globSync('server/src/**/*.ts', { cwd: PACKAGES })
    assert.deepEqual(
      files.filter((file) => pattern.test(readFileSync(join(PACKAGES, file), 'utf8'))),
      [home],
    )
  })
}
