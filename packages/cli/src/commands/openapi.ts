import { buildApiDocuments } from '@portico/server/http/descriptions'
import { type Command, positional, UsageError } from '../command.ts'

export const command: Command = {
  localOnly: 'it prints the document of this version; a server has its own at /openapi/v2.json',
  ignoresStore: true,
  parameters: 'v2|v1|operator',
  positionals: { min: 1, max: 1 },
  settings: ['publicUrl', 'tenant', 'port'],
  help: { port: 'Port in the addresses of the document. No effect with --public-url. (8080)' },
  async run(call) {
    const documents = buildApiDocuments(call.config)
    const document = documents.get(positional(call, 0))
    if (!document)
      throw new UsageError(
        `there is no document ${positional(call, 0)}; use one of ${[...documents.keys()].join(', ')}`,
      )
    call.out.text(`${JSON.stringify(document, null, 2)}\n`)
    return 0
  },
}
