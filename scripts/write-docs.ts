import { writeFileSync } from 'node:fs'
import { settingsReference } from '@portico/server/config/reference'
import { migrationGuide } from '@portico/server/domain/v1-lifecycle/guide'
import { commandReference } from '../packages/cli/src/reference.ts'
import { operatorTypes, partnerTypes, pythonClient } from './write-sdk-types.ts'

/** Files generated from code. A test fails if one is out of date. */
const FILES: Record<string, () => string | Promise<string>> = {
  'docs/configuration.md': settingsReference,
  'docs/api/migration.md': migrationGuide,
  'docs/cli.md': commandReference,
  'packages/sdk/src/types.ts': partnerTypes,
  'packages/sdk/src/operator-types.ts': operatorTypes,
  'clients/python/portico.py': pythonClient,
}

for (const [file, write] of Object.entries(FILES)) {
  writeFileSync(new URL(`../${file}`, import.meta.url), await write())
}
