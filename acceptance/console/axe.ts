import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/** Asserts that axe finds no violation on the page as it is now. */
export async function assertAccessible(page: Page): Promise<void> {
  // As an expression: the page's policy forbids inline scripts.
  await page.evaluate(SOURCE)
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()')
  assert.deepEqual(
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => [node.html, node.failureSummary]) })),
    [],
  )
}
