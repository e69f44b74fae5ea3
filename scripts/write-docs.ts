import { writeFileSync } from 'node:fs'
import { settingsReference } from '@portico/server/config/reference'
import { migrationGuide } from '@portico/server/domain/v1-lifecycle/guide'
import { commandReference } from '../packages/cli/src/reference.ts'

/** Pages generated from code. A test fails if one is out of date. */
const PAGES: Record<string, () => string | Promise<string>> = {
  'configuration.md': settingsReference,
  'api/migration.md': migrationGuide,
  'cli.md': commandReference,
}

for (const [file, write] of Object.entries(PAGES)) {
  writeFileSync(new URL(`../docs/${file}`, import.meta.url), await write())
}
