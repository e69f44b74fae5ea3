import type { Actor } from '../../domain/identity/audit.ts'
import type { WithCaller } from '../pipeline/gates.ts'

/** Who is behind a request, for the audit. */
export const toActor = ({ caller, id }: WithCaller & { id: string }): Actor => ({
  kind: 'partner',
  id: caller.partnerUuid,
  name: caller.name,
  traceId: id,
})
