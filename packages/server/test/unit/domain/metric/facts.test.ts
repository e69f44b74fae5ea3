import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { METRIC_NAMES } from '../../../../src/domain/metric/catalogue.ts'

const SOURCE = join(import.meta.dirname, '../../../../src')

const isExempt = (file: string): boolean => file.startsWith('domain/metric/')

test('behaviour depends on facts in the catalogue, not on the names or groups of metrics', () => {
  const names = [...METRIC_NAMES, 'battery', 'utility', 'environment', 'derived'].join('|')
  const comparison = new RegExp(`[!=]== '(${names})'|case '(${names})':`, 'g')
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !isExempt(file))
  assert.ok(files.length > 300, 'there is something to check')
  const found = files.flatMap((file) =>
    [...readFileSync(join(SOURCE, file), 'utf8').matchAll(comparison)].map(([text]) => `${file}: ${text}`),
  )
  assert.deepEqual(found, [])
})
