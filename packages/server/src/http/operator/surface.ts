import { bearer, ready, role } from '../pipeline/gates.ts'
import type { Surface } from '../pipeline/route.ts'
import { renderProblem } from '../problem.ts'
import type { Services } from '../services.ts'

/** The operator API. */
export const createOperatorSurface = ({ addresses, log }: Pick<Services, 'addresses' | 'log'>): Surface => ({
  prefix: '/operator',
  apiVersion: undefined,
  isConditional: false,
  renderError: (error, call) => renderProblem(error, call, { publicUrl: addresses.publicUrl, log }),
})

/** Everything in it needs a token with the role Operator, unknown addresses included. */
export const OPERATOR_GATES = [ready, bearer, role('Operator')] as const
