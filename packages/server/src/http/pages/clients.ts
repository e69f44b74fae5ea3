import { createHash } from 'node:crypto'
import { notFound } from '../../kernel/errors.ts'
import { findRepositoryFile, readRepositoryFile } from '../../kernel/repository-file.ts'
import type { HeaderList } from '../pipeline/reply.ts'
import { definePage, type RunnableRoute } from '../pipeline/route.ts'
import { constantReply, createDocument } from './constant-document.ts'

const PYTHON_TYPE = 'text/x-python; charset=utf-8'
const TARBALL_TYPE = 'application/gzip'

const loadPython = createDocument(() => readRepositoryFile('clients/python/portico.py'))

/** The client for Python: one file, to be fetched with `curl -O`. Its first line has its version. */
const pythonClientRoute = definePage('/clients/portico.py', [], (call) =>
  constantReply(call, loadPython(), { type: PYTHON_TYPE, cacheControl: 'no-cache' }),
)

/** The package of the client for TypeScript, to be installed with `npm install URL`. */
const sdkRoute = definePage('/clients/portico-sdk.tgz', [], ({ headers }) => {
  const { body, etag } = loadTarball()
  // Without a content coding: some clients would decompress the file itself.
  const common: HeaderList = ['etag', etag, 'cache-control', 'no-cache']
  if (headers['if-none-match'] === etag)
    return { status: 304, type: undefined, headers: common, body: undefined }
  return { status: 200, type: TARBALL_TYPE, headers: common, body }
})

export const CLIENT_ROUTES: readonly RunnableRoute[] = [pythonClientRoute, sdkRoute]

let tarball: { body: Buffer; etag: string } | undefined

/** Throws `not-found` in a clone in which the SDK has not been packed. */
function loadTarball(): NonNullable<typeof tarball> {
  if (tarball) return tarball
  const body = findRepositoryFile('clients/typescript/portico-sdk.tgz')
  if (!body) throw notFound('address')
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  return (tarball = { body, etag })
}
