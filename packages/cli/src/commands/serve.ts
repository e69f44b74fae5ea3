import { SETTINGS } from '@portico/server/config/settings'
import { tuneProcess } from '@portico/server/process/tune-process'
import type { Command } from '../command.ts'

export const command: Command = {
  localOnly: 'it runs a server on this machine',
  settings: Object.keys(SETTINGS),
  async run({ config, out }) {
    tuneProcess()
    const demo = config.demo ? (await import('@portico/demo/start')).startDemo(config) : undefined
    const { serve } = await import('@portico/server/process/serve')
    // Exits even if connections remain open that a forced stop did not wait for.
    return process.exit(await serve(config, out.text, demo))
  },
}
