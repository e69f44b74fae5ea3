import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import type { Benchmark, Row } from './benchmark.ts'
import { control } from './control.ts'
import { storage } from './storage.ts'

/** Every benchmark there is. `npm run bench` runs all, `npm run bench -- NAME` one, `--smoke` only shows that they work. */
const BENCHMARKS: readonly Benchmark[] = [storage, control]

const { values, positionals } = parseArgs({
  options: { smoke: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !BENCHMARKS.some((one) => one.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `no benchmark ${unknown.join(', ')}; there is ${BENCHMARKS.map(({ name }) => name).join(', ')}\n`,
  )
  process.exit(2)
}

const sections: string[] = []
for (const { name, about, run } of BENCHMARKS) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const rows = await run({ isSmoke: values.smoke })
  sections.push(`## ${name}\n\n${about}\n\n${table(rows)}`)
  process.stdout.write(`\n${sections.at(-1)}\n`)
}
if (!values.smoke && positionals.length === 0) {
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  writeFileSync(
    new URL('RESULTS.md', import.meta.url),
    `# Results\n\nMade by \`npm run bench\` on ${machine}. Ratios are of one run on one machine.\n\n${sections.join('\n\n')}\n`,
  )
}

function table(rows: readonly Row[]): string {
  const isAsked = rows.some(({ wanted }) => wanted !== undefined)
  const line = (...cells: string[]): string => `| ${cells.slice(0, isAsked ? 3 : 2).join(' | ')} |`
  return [
    line('what', 'figure', 'wanted'),
    line('---', '---', '---'),
    ...rows.map(({ what, figure, wanted = '' }) => line(what, figure, wanted)),
  ].join('\n')
}
