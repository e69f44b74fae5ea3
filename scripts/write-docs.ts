import { writeFileSync } from 'node:fs'
import { settingsReference } from '@portico/server/config/reference'
import { migrationGuide } from '@portico/server/domain/v1-lifecycle/guide'

/** Pages generated from code. A test fails if one is out of date. */
const PAGES: Record<string, () => string> = {
  'configuration.md': settingsReference,
  'api/migration.md': migrationGuide,
}

for (const [file, write] of Object.entries(PAGES)) {
  writeFileSync(new URL(`../docs/${file}`, import.meta.url), write())
}
