import type { FastifyInstance } from 'fastify'
import { noSuchAddress } from '../../problem.ts'
import { sendConstant } from '../constant-document.ts'
import type { Bundle } from './bundle.ts'

/** The address changes with the content, so that browsers may keep it for ever. */
export const scriptPath = ({ hash }: Bundle): string => `/reference/script/${hash}.js`

export function consoleScript(app: FastifyInstance, loadBundle: () => Promise<Bundle>): void {
  app.get('/reference/script/:file', async (request, reply) => {
    const bundle = await loadBundle()
    if (request.url !== scriptPath(bundle)) throw noSuchAddress()
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    return sendConstant(request, reply, { hash: bundle.hash, load: (coding) => bundle[coding] })
  })
}
