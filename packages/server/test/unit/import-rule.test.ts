import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'

const PACKAGES = join(import.meta.dirname, '../../..')

interface Import {
  from: string
  to: string
}

const files = globSync('*/src/**/*.{ts,tsx}', { cwd: PACKAGES })

/** Import specifiers in source files, local ones as a path below packages/. The pattern captures the specifier. */
const findImports = (pattern: RegExp): Import[] =>
  files.flatMap((from) =>
    [...readFileSync(join(PACKAGES, from), 'utf8').matchAll(pattern)].map(([, specifier = '']) => ({
      from,
      to: specifier.startsWith('.')
        ? join(dirname(from), specifier)
        : specifier.replace(/^@portico\/(\w+)\/(.*)$/, '$1/src/$2.ts'),
    })),
  )

/** Files with examples for partners, which import the SDK. */
const EXAMPLES = ['domain/v1-lifecycle/guide.ts', 'http/pages/quickstart/snippets.ts'].map(
  (file) => `server/src/${file}`,
)

const imports = findImports(/\b(?:from |import |import\()'([^'\n]+)'/g).filter(
  ({ from, to }) => !(to === '@portico/sdk' && EXAMPLES.includes(from)),
)
/** Imports that load a module together with the importing one. */
const loadingImports = findImports(/^(?:import|export) (?!type )[^'`;]*?from '([^'\n]+)'/gm)

const S = 'server/src/'
const KERNEL = [`${S}kernel/`, 'node:']
const BASE = [...KERNEL, `${S}calendar/`]

/** The folders of the domain in order: each may import itself and those before it. */
const DOMAIN = [
  'metric',
  'identity',
  'event',
  'coordination',
  'estate',
  'external',
  'telemetry',
  'control',
  'v1-lifecycle',
  'webhook',
].map((room) => `${S}domain/${room}/`)

const upTo = (room: string): string[] => [
  ...BASE,
  ...DOMAIN.slice(0, DOMAIN.indexOf(`${S}domain/${room}/`) + 1),
]
const before = (room: string): string[] => [
  ...BASE,
  ...DOMAIN.slice(0, DOMAIN.indexOf(`${S}domain/${room}/`)),
]
const within = (room: string, ...inner: string[]): string[] => [
  ...before(room),
  ...inner.map((name) => `${S}domain/${room}/${name}/`),
]

const SHARED_BY_STORES = [
  'change-tracker.ts',
  'damage',
  'maintenance.ts',
  'statistics.ts',
  'store.ts',
  'transfer',
  'webhook-columns.ts',
].map((name) => `${S}store/${name}`)

/** The imports allowed for each folder. A file is checked by the longest rule that matches it. */
const RULES: Record<string, string[]> = {
  'wire/src/': ['wire/src/', 'typebox'],
  // Nothing but what browsers, Deno and Bun have as well.
  'sdk/src/': ['sdk/src/'],
  'console/src/': ['console/src/', '@portico/sdk', 'sdk/src/', 'preact', '@preact/signals'],
  'console/src/charts/': ['console/src/charts/', '@portico/sdk', 'preact', '@preact/signals', 'uplot'],
  // A command writes files.
  'sdk/src/cli/': ['sdk/src/', 'node:fs/promises'],
  [`${S}kernel/`]: [...KERNEL, 'pino', 'prom-client'],
  [`${S}calendar/`]: BASE,
  ...Object.fromEntries(DOMAIN.map((path) => [path, upTo(path.slice(`${S}domain/`.length, -1))])),
  [`${S}domain/identity/token/`]: [...upTo('identity'), 'jose'],
  [`${S}domain/identity/rate-limit/`]: [...upTo('identity'), '@redis/client'],
  [`${S}domain/telemetry/reading/`]: within('telemetry', 'reading'),
  [`${S}domain/telemetry/ingest/`]: within('telemetry', 'reading', 'ingest'),
  [`${S}domain/telemetry/device-status/`]: within('telemetry', 'reading', 'rollup', 'device-status'),
  [`${S}domain/telemetry/rollup/`]: within('telemetry', 'reading', 'rollup'),
  [`${S}domain/telemetry/series/`]: within('telemetry', 'reading', 'rollup', 'series'),
  [`${S}domain/telemetry/insight/`]: within(
    'telemetry',
    'reading',
    'device-status',
    'rollup',
    'series',
    'insight',
  ),
  [`${S}domain/telemetry/export/`]: [
    ...within('telemetry', 'reading', 'rollup', 'series', 'export'),
    'hyparquet-writer',
  ],
  [`${S}domain/control/schedule/`]: within('control', 'schedule'),
  [`${S}domain/control/command/`]: within('control', 'schedule', 'command'),
  [`${S}domain/control/dispatch/`]: within('control', 'schedule', 'command', 'dispatch'),
  [`${S}domain/control/simulation/`]: within('control', 'schedule', 'command', 'simulation'),
  [`${S}config/`]: [`${S}config/`, ...BASE, ...DOMAIN],
  [`${S}store/`]: [`${S}store/`, `${S}config/`, ...BASE, ...DOMAIN],
  [`${S}store/sqlite/`]: [`${S}store/sqlite/`, ...SHARED_BY_STORES, ...BASE, ...DOMAIN, 'jose'],
  [`${S}store/postgres/`]: [
    `${S}store/postgres/`,
    ...SHARED_BY_STORES,
    ...BASE,
    ...DOMAIN,
    'jose',
    'postgres',
  ],
  [`${S}mqtt/`]: [
    `${S}mqtt/`,
    `${S}config/`,
    ...BASE,
    ...DOMAIN,
    'wire/src/mqtt/',
    'typebox',
    'aedes',
    'mqtt',
  ],
  [`${S}http/`]: [
    `${S}http/`,
    `${S}config/`,
    ...BASE,
    ...DOMAIN,
    'wire/src/',
    'fastify',
    '@scalar/',
    'marked',
    'secure-json-parse',
    'typebox',
  ],
  [`${S}process/`]: [S, 'node:', 'prom-client'],
  [`${S}operator/`]: [S, 'node:'],
  'demo/src/': ['demo/src/', S, 'wire/src/', 'node:', 'typebox'],
  'cli/src/': [
    'cli/src/',
    'demo/src/start.ts',
    `${S}process/`,
    `${S}operator/`,
    `${S}http/descriptions.ts`,
    `${S}http/operator/inventory/document.ts`,
    `${S}mqtt/brokers/address.ts`,
    `${S}config/`,
    `${S}domain/identity/`,
    `${S}domain/telemetry/ingest/`,
    `${S}domain/v1-lifecycle/`,
    `${S}kernel/`,
    'wire/src/',
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

describe('allowed imports', () => {
  test('every file is in a layer', () => {
    assert.deepEqual(
      files.filter((file) => ruleFor(file) === undefined),
      [],
    )
  })

  for (const [room, allowed] of Object.entries(RULES)) {
    test(`${room} imports only what it may`, () => {
      const broken = imports.filter(
        ({ from, to }) => ruleFor(from) === room && !allowed.some((prefix) => to.startsWith(prefix)),
      )
      assert.deepEqual(broken, [], `${room} may import only ${allowed.join(', ')}: see ARCHITECTURE, Layers`)
      assert.ok(
        files.some((file) => file.startsWith(room)),
        'the rule watches something',
      )
    })
  }

  const KNOWN_IN: Record<string, string> = {
    aedes: 'server/src/mqtt/brokers/embedded.ts',
    mqtt: 'server/src/mqtt/brokers/connection.ts',
    'mqtt-packet': 'server/src/mqtt/mqtt.ts',
    postgres: 'server/src/store/postgres/pool/disposable-pool.ts',
    '@redis/client': 'server/src/domain/identity/rate-limit/redis.ts',
    'hyparquet-writer': 'server/src/domain/telemetry/export/parquet.ts',
  }
  for (const [library, home] of Object.entries(KNOWN_IN)) {
    test(`only ${home} imports ${library}`, () => {
      assert.deepEqual(
        imports.filter(({ to }) => to === library).map(({ from }) => from),
        [home],
      )
    })
  }

  /** What is loaded with a file, which excludes dynamic imports. */
  const loadedWith = (file: string): Set<string> => {
    const loaded = new Set([file])
    // Iteration over a set includes elements added meanwhile.
    for (const one of loaded) for (const { from, to } of loadingImports) if (from === one) loaded.add(to)
    return loaded
  }

  test('operator.ts, which every command loads, loads no library of the server', () => {
    const loaded = loadedWith('server/src/operator/operator.ts')
    assert.ok(loaded.has('server/src/store/sqlite/store.ts'), 'the imports were followed')
    for (const library of ['fastify', 'typebox', 'typebox/compile', 'mqtt', 'prom-client', 'pino'])
      assert.ok(!loaded.has(library), `${library} costs every command its loading time`)
  })

  test('only the library of the broker that is used is loaded', () => {
    const loaded = [...loadedWith('server/src/process/serve.ts'), ...loadedWith('demo/src/demo.ts')]
    assert.ok(loaded.includes('server/src/mqtt/mqtt.ts'), 'the imports were followed')
    assert.deepEqual(
      loaded.filter((file) => file === 'mqtt' || file === 'aedes'),
      [],
    )
  })

  test('the Redis client is loaded only when it is configured', () => {
    const home = 'server/src/process/rate-limits.ts'
    const redis = 'server/src/domain/identity/rate-limit/redis.ts'
    assert.match(readFileSync(join(PACKAGES, home), 'utf8'), /await import\('[^']*\/rate-limit\/redis\.ts'\)/)
    assert.deepEqual(
      imports.filter(({ to }) => to === redis).map(({ from }) => from),
      [home],
    )
  })

  test('the Parquet library is loaded only for an export as Parquet', () => {
    const home = 'server/src/domain/telemetry/export/encoder.ts'
    const parquet = 'server/src/domain/telemetry/export/parquet.ts'
    assert.deepEqual(
      imports.filter(({ to }) => to === parquet).map(({ from }) => from),
      [home],
    )
    assert.deepEqual(
      loadingImports.filter(({ to }) => to === parquet),
      [],
    )
  })

  test('uPlot is loaded with the first chart, not with the console', () => {
    const plot = 'console/src/charts/plot/'
    assert.deepEqual(
      imports.filter(({ from, to }) => to === 'uplot' && !from.startsWith(plot)),
      [],
    )
    assert.deepEqual(
      loadingImports.filter(({ from, to }) => to.startsWith(plot) && !from.startsWith(plot)),
      [],
    )
  })

  test('only the writer imports from the SQLite thread, and only types', () => {
    const thread = 'server/src/store/sqlite/thread/'
    const outside = imports.filter(({ from, to }) => to.startsWith(thread) && !from.startsWith(thread))
    assert.deepEqual(
      outside.filter(({ from }) => from !== 'server/src/store/sqlite/writer.ts'),
      [],
    )
    assert.deepEqual(
      loadingImports.filter(({ from, to }) => to.startsWith(thread) && !from.startsWith(thread)),
      [],
    )
  })

  test('only webhooks send requests to addresses that a third party chose', () => {
    const outgoing = 'server/src/kernel/outgoing-http.ts'
    assert.deepEqual(
      imports
        .filter(({ from, to }) => to === outgoing && !from.startsWith('server/src/domain/webhook/'))
        .map(({ from }) => from),
      ['server/src/process/webhooks.ts'],
    )
    const requesting = files.filter(
      (file) =>
        file.startsWith('server/') &&
        file !== SNIPPETS &&
        /\bfetch\(|\brequest(?:Https?)?\(url|from 'node:dns/.test(readFileSync(join(PACKAGES, file), 'utf8')),
    )
    assert.deepEqual(requesting.toSorted(), ['server/src/domain/external/external-service.ts', outgoing])
  })

  test('there are no circular imports, including type imports', () => {
    const targets = Map.groupBy(imports, ({ from }) => from)
    const inCircles = [...targets.keys()].filter((file) => {
      // Iteration over a set includes elements added meanwhile.
      const reached = new Set((targets.get(file) ?? []).map(({ to }) => to))
      for (const next of reached) for (const { to } of targets.get(next) ?? []) reached.add(to)
      return reached.has(file)
    })
    assert.deepEqual(inCircles, [])
  })

  test('no surface of the API imports another', () => {
    const surface = /^server\/src\/http\/(v1|v2|operator|oauth|ingest|console)\//
    const crossed = imports.filter(({ from, to }) => {
      const [here, there] = [surface.exec(from)?.[1], surface.exec(to)?.[1]]
      return here !== undefined && there !== undefined && here !== there
    })
    assert.deepEqual(crossed, [])
  })
})

/** Global sources of nondeterminism, each with the one file of the server that may use it. */
const SOURCES: [what: string, pattern: RegExp, home: string][] = [
  ['the environment', /process\.env/, 'server/src/config/config.ts'],
  ['the time', /Date\.now\(|new Date\(\)/, 'server/src/kernel/clock.ts'],
  ['random values', /randomUUID\(|randomBytes\(/, 'server/src/kernel/ids.ts'],
]

/** Contains programs for partners as text. */
const SNIPPETS = 'server/src/http/pages/quickstart/snippets.ts'

for (const [what, pattern, home] of SOURCES) {
  test(`only ${home} uses ${what}`, () => {
    assert.deepEqual(
      files.filter(
        (file) =>
          /^(server|demo)\//.test(file) &&
          file !== SNIPPETS &&
          pattern.test(readFileSync(join(PACKAGES, file), 'utf8')),
      ),
      [home],
    )
  })
}

test('no module imports the values of node:http, which takes long to load that way: see kernel/node-http', () => {
  const importing = loadingImports.filter(({ to }) => to === 'node:http').map(({ from }) => from)
  assert.deepEqual(importing, [])
})
