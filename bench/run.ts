import { parseArgs } from 'node:util'
import { packageCommand } from '../acceptance/support/servers/command.ts'
import { batch } from './batch.ts'
import type { Benchmark } from './benchmark.ts'
import { consolePages } from './console.ts'
import { control } from './control.ts'
import { exports } from './export.ts'
import { footprint } from './footprint.ts'
import { growth } from './growth.ts'
import { ingest } from './ingest.ts'
import { mixed } from './mixed.ts'
import { peers } from './peers.ts'
import { postgres } from './postgres.ts'
import { read } from './read.ts'
import { refusals } from './refusals.ts'
import { describeRun, readSections, toMarkdown, writeSections } from './results.ts'
import { scale } from './scale.ts'
import { sdk } from './sdk.ts'
import { storage } from './storage.ts'
import { shareDataset } from './support/dataset.ts'
import { token } from './token.ts'
import { topologies } from './topologies.ts'
import { webhooks } from './webhooks.ts'

/**
 * All benchmarks, in the order of the results. `npm run bench` runs all and saves the results; `npm run bench -- NAME`
 * runs one, and saves its results with `--save`; `--smoke` only checks that they work.
 */
const BENCHMARKS: readonly Benchmark[] = [
  read,
  batch,
  exports,
  token,
  refusals,
  peers,
  growth,
  scale,
  topologies,
  ingest,
  storage,
  postgres,
  control,
  webhooks,
  mixed,
  sdk,
  consolePages,
  footprint,
]

/** A smoke run measures nothing, so its benchmarks may compete for the processors. */
const SMOKE_AT_ONCE = 3

const { values, positionals } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, save: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !BENCHMARKS.some((one) => one.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `no benchmark ${unknown.join(', ')}; there is ${BENCHMARKS.map(({ name }) => name).join(', ')}\n`,
  )
  process.exit(2)
}

const removeCommand = packageCommand()
const year = shareDataset(values.smoke)
const isSaved = !values.smoke && (values.save || positionals.length === 0)
const waiting = BENCHMARKS.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
).values()
try {
  await Promise.all(Array.from({ length: values.smoke ? SMOKE_AT_ONCE : 1 }, runWaiting))
} finally {
  await year.close()
  removeCommand()
}

async function runWaiting(): Promise<void> {
  for (const { name, about, run } of waiting) {
    const section = { name, about, rows: await run({ isSmoke: values.smoke, year }), run: describeRun() }
    // Results of a one-second run are meaningless.
    process.stdout.write(values.smoke ? `${name} works\n` : `\n${toMarkdown(section)}\n`)
    if (!isSaved) continue
    const known = [section, ...readSections().filter((one) => one.name !== name)]
    writeSections(BENCHMARKS.flatMap((one) => known.find((other) => other.name === one.name) ?? []))
  }
}
