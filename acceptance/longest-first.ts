/** The slowest files. A run starts with them, so that none of them runs last on a single core. */
const LONGEST: readonly string[] = [
  'workers/suite-on-workers',
  'readings/random-histories',
  'durability/kill',
  'console/operator-pages',
  'console/spaces',
  'pages/reference-in-browser',
  'console/devices',
  'console/shown-calls',
  'copy/copy',
  'package',
  'command-line/remote',
  'readings/large',
  'overload/expensive-queries',
  'readings/cache-freshness',
  'mqtt/rejected',
  'durability/corruption',
  'overload/mqtt-gateway',
  'workers/process-exit',
  'postgres/outage',
  'instances/readings',
  'instances/sandbox',
  'control/server-schedules',
  'operations/demo',
  'readings/import',
  'inventory/command-line',
]

export const longestFirst = (files: readonly string[]): string[] => {
  const rank = (file: string): number => {
    const found = LONGEST.findIndex((name) => file.endsWith(`/${name}.test.ts`))
    return found === -1 ? LONGEST.length : found
  }
  return files.toSorted((a, b) => rank(a) - rank(b))
}
