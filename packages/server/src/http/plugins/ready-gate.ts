import type { FastifyInstance } from 'fastify'
import { unavailable } from '../../errors.ts'
import type { Services } from '../services.ts'

/** Until the store is migrated, and while the process stops, the surfaces answer 503 with Retry-After. */
export function readyGate(app: FastifyInstance, { health }: Services): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    const [reason] = health.reasons()
    if (reason !== undefined) throw unavailable(`Not ready: ${reason}`)
    done()
  })
}
