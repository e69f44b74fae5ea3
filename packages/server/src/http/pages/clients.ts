import { readRepositoryFile } from '../../kernel/repository-file.ts'
import { definePage, type RunnableRoute } from '../pipeline/route.ts'
import { constantReply, createDocument } from './constant-document.ts'

const PYTHON_TYPE = 'text/x-python; charset=utf-8'

const loadPython = createDocument(() => readRepositoryFile('clients/python/portico.py'))

/** The client for Python: one file, to be fetched with `curl -O`. Its first line has its version. */
export const pythonClientRoute: RunnableRoute = definePage('/clients/portico.py', [], (call) =>
  constantReply(call, loadPython(), { type: PYTHON_TYPE, cacheControl: 'no-cache' }),
)
