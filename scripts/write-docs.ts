import { writeFileSync } from 'node:fs'
import { settingsReference } from '@portico/server/config/reference'

/** Writes the pages that are made from code. A test fails when one is not as this would write it. */
writeFileSync(new URL('../docs/configuration.md', import.meta.url), settingsReference())
