import type { Config } from '../config/config.ts'
import { standardOutput } from '../kernel/log.ts'
import { createPrettyOutput } from '../kernel/pretty-log.ts'

/** Standard output: human-readable text on a terminal, JSON lines otherwise, unless LOG_FORMAT is set. */
export function openLogOutput({ logFormat, noColor }: Config): ReturnType<typeof standardOutput> {
  const isTerminal = process.stdout.isTTY
  if ((logFormat ?? (isTerminal ? 'pretty' : 'json')) === 'json') return standardOutput()
  return createPrettyOutput(standardOutput(), { isColoured: isTerminal && !noColor })
}
