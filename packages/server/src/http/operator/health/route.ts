import { InstallationHealth } from '@portico/wire/operator/health'
import { NoQuery } from '@portico/wire/page'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { OPERATOR_GATES } from '../surface.ts'
import { toWireHealth } from './convert.ts'

export const getHealth = defineRoute({
  method: 'GET',
  path: '/health',
  operationId: 'getHealth',
  summary: 'Get the state of the installation',
  description:
    'An overview of problems. The numbers are read at most once a minute, however often they are requested.',
  tags: ['Health'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  produces: jsonAlways(200, 'The state of the installation', InstallationHealth),
  errors: ['forbidden'],
  async handle(_call, { clock, summary, whyNotReady }: Pick<Services, 'clock' | 'summary' | 'whyNotReady'>) {
    const [notReady, found] = await Promise.all([whyNotReady(), summary.load()])
    return jsonReply(toWireHealth(found, { now: clock.now(), startedAt: summary.startedAt, notReady }))
  },
})
