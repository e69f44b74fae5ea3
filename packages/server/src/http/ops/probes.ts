import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'

/** For whatever watches the process. Open to anyone who reaches the port; they tell nothing about partners. /metrics has a listener of its own. */
export async function probes(app: FastifyInstance, services: Services): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.get('/live', async () => ({ status: 'live' }))

  app.get('/ready', async (_request, reply) => {
    const reasons = await services.whyNotReady()
    if (reasons.length === 0) return { status: 'ready' }
    return reply.status(503).header('retry-after', 2).send({ status: 'not ready', reasons })
  })
}
