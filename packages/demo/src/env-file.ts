import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export function readEnv(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').split('\n')
  return new Map(
    lines.map((line): [string, string] => {
      const equals = line.indexOf('=')
      return [line.slice(0, equals), line.slice(equals + 1)]
    }),
  )
}

/**
 * Written to a temporary file and renamed, so that a reader sees a complete file or none; readable by its owner only.
 */
export function writeEnv(file: string, values: Record<string, string>): void {
  const text = Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
  const beside = `${file}.new`
  writeFileSync(beside, text, { mode: 0o600 })
  chmodSync(beside, 0o600)
  renameSync(beside, file)
}
