import type { FastifyInstance } from 'fastify'
import { chooseCoding } from '../../negotiate.ts'
import { noSuchAddress } from '../../problem.ts'
import type { Bundle } from './bundle.ts'

/** The address changes with the content, so that browsers may keep it for ever. */
export const scriptPath = ({ hash }: Bundle): string => `/reference/script/${hash}.js`

export function consoleScript(app: FastifyInstance, loadBundle: () => Promise<Bundle>): void {
  app.get('/reference/script/:file', async (request, reply) => {
    const bundle = await loadBundle()
    if (request.url !== scriptPath(bundle)) throw noSuchAddress()
    const coding = chooseCoding(request.headers['accept-encoding'], false) ?? 'identity'
    const etag = `"${bundle.hash}-${coding}"`
    reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      etag,
    })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply.type('text/javascript; charset=utf-8').send(bundle[coding])
  })
}
