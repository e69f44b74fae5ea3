import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'

/** Probes for monitoring. They are open to anyone who can reach the port and reveal nothing about partners. /metrics has its own listener. */
export async function probes(app: FastifyInstance, services: Services): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.get('/live', async () => ({ status: 'live' }))

  app.get('/ready', async (_request, reply) => {
    const reasons = await services.whyNotReady()
    if (reasons.length === 0) return { status: 'ready' }
    return reply.status(503).header('retry-after', 2).send({ status: 'not ready', reasons })
  })
}
