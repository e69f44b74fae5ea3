import { join } from 'node:path'
import { findStartedCommand } from './started-command.js'

// Plain JavaScript, so that the server does not load Node's TypeScript support.
await import(join(findStartedCommand(), 'bin/portico.js'))
