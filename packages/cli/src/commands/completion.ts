import { type CatalogueEntry, type Command, positional, UsageError } from '../command.ts'
import { SHELLS } from '../completion/scripts.ts'
import { loadCompletions } from '../completion/words.ts'

/** Needs the whole catalogue, of which it is a part. */
export const createCompletion = (catalogue: Record<string, CatalogueEntry>): Command => ({
  localOnly: 'it needs no server',
  ignoresStore: true,
  parameters: Object.keys(SHELLS).join('|'),
  positionals: { min: 1, max: 1 },
  async run(call) {
    const shell = positional(call, 0)
    const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
    if (!write) throw new UsageError(`the shell must be one of ${Object.keys(SHELLS).join(', ')}`)
    call.out.text(write(await loadCompletions(catalogue)))
    return 0
  },
})
