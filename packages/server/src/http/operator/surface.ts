import { bearer, ready, role, type WithCaller } from '../pipeline/gates.ts'
import type { Gate, Surface } from '../pipeline/route.ts'
import { type FailureServices, renderProblem, routeNotFound } from '../pipeline/problem.ts'
import type { Actor } from '../../domain/identity/audit.ts'

/** The operator API. */
export const createOperatorSurface = (services: FailureServices): Surface => ({
  prefix: '/operator',
  apiVersion: undefined,
  isConditional: false,
  renderError: (error, call) => renderProblem(error, call, services),
})

/** From other networks, the operator API responds as if it did not exist. */
export const operatorNetwork: Gate = {
  pass(call, { isOperatorNetwork }) {
    return isOperatorNetwork(call.address) ? undefined : routeNotFound()
  },
}

/** All routes, and unknown paths, need a token with the role Operator. */
export const OPERATOR_GATES = [operatorNetwork, ready, bearer, role('Operator')] as const

/** The actor of a request, for the audit log. */
export const toActor = ({ caller, id }: WithCaller & { id: string }): Actor => ({
  kind: 'partner',
  id: caller.partnerUuid,
  name: caller.name,
  traceId: id,
})
