import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import { findFreePort } from '../support/servers/free-port.ts'

/** The policy of the console. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const FIXTURE = join(import.meta.dirname, '../../packages/console/test/fixture')

const HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Charts</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="charts.css">
<script type="module" src="charts.js"></script>
</html>
`

export interface FixturePage {
  address: string
  /** The script that the page loads first. */
  script: string
  stop: () => Promise<void>
}

/** Bundles the page of charts as the console is bundled, and serves it and the data under the console's policy. */
export async function serveFixturePage(getData: () => unknown): Promise<FixturePage> {
  const { outputFiles } = await build({
    entryPoints: [join(FIXTURE, 'charts.tsx'), join(FIXTURE, 'charts.css')],
    outdir: '/',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['portico-source'],
    chunkNames: '[name]-[hash]',
    write: false,
    logLevel: 'warning',
  })
  const files = new Map<string, { type: string; content: string | Uint8Array }>([
    ['/', { type: 'text/html', content: HTML }],
    ...outputFiles.map(({ path, contents }): [string, { type: string; content: Uint8Array }] => [
      path,
      { type: path.endsWith('.css') ? 'text/css' : 'text/javascript', content: contents },
    ]),
  ])
  const server = createServer(({ url = '/' }, response) => {
    const data = { type: 'application/json', content: JSON.stringify(getData()) }
    send(response, url === '/fixtures.json' ? data : files.get(url))
  })
  const port = await findFreePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${port}/`,
    script: outputFiles.find(({ path }) => path === '/charts.js')?.text ?? '',
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(
  response: ServerResponse,
  file: { type: string; content: string | Uint8Array } | undefined,
): void {
  response.setHeader('content-security-policy', POLICY)
  response.setHeader('x-content-type-options', 'nosniff')
  if (!file) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': `${file.type}; charset=utf-8` }).end(file.content)
}
