import type { Actor } from '../../domain/identity/audit.ts'
import type { WithCaller } from '../pipeline/gates.ts'

/** The actor of a request, for the audit log. */
export const toActor = ({ caller, id }: WithCaller & { id: string }): Actor => ({
  kind: 'partner',
  id: caller.partnerUuid,
  name: caller.name,
  traceId: id,
})
