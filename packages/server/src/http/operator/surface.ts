import { bearer, ready, role } from '../pipeline/gates.ts'
import type { Surface } from '../pipeline/route.ts'
import { type FailureServices, renderProblem } from '../pipeline/problem.ts'

/** The operator API. */
export const createOperatorSurface = (services: FailureServices): Surface => ({
  prefix: '/operator',
  apiVersion: undefined,
  isConditional: false,
  renderError: (error, call) => renderProblem(error, call, services),
})

/** All routes, and unknown paths, need a token with the role Operator. */
export const OPERATOR_GATES = [ready, bearer, role('Operator')] as const
