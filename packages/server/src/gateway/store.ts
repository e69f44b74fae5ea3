import type { AuditEntry } from '../audit/audit.ts'
import type { Gateway, StoredGateway } from './gateway.ts'

export interface GatewayStore {
  list(siteUuid: string): Promise<Gateway[]>
  add(
    siteUuid: string,
    gateway: StoredGateway,
    entry: AuditEntry,
  ): Promise<'added' | 'unknown-site' | 'uuid-taken'>
  remove(siteUuid: string, gatewayUuid: string, entry: AuditEntry): Promise<'removed' | 'unknown'>
}
