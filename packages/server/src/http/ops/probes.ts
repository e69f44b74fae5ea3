import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'

/** Whoever watches has less patience than a query: a store that is silent for so long is not there. */
const PING_MS = 3_000

/** For whatever watches the process. Open to anyone who reaches the port; they tell nothing about partners. */
export async function probes(app: FastifyInstance, { health, metrics, pingStore }: Services): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.get('/live', async () => ({ status: 'live' }))

  app.get('/ready', async (_request, reply) => {
    const reasons = [...health.reasons()]
    if (reasons.length === 0 && !(await answersSoon(pingStore))) reasons.push('the store cannot be read')
    if (reasons.length === 0) return { status: 'ready' }
    return reply.status(503).header('retry-after', 2).send({ status: 'not ready', reasons })
  })

  app.get('/metrics', async (_request, reply) => {
    reply.header('content-type', metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

const answersSoon = (ping: () => Promise<void>): Promise<boolean> =>
  Promise.race([
    ping().then(
      () => true,
      () => false,
    ),
    delay(PING_MS, false, { ref: false }),
  ])
