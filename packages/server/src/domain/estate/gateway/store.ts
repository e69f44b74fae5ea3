import type { AuditEntry } from '../../identity/audit.ts'
import type { Gateway, StoredGateway } from './gateway.ts'

export interface GatewayStore {
  list(siteUuid: string): Promise<Gateway[]>
  /** Every account of the installation, to be exported to an external broker. */
  accounts(): Promise<StoredGateway[]>
  /** Without a site: a client authenticates before its site is known. */
  findAccount(mqttUsername: string): Promise<StoredGateway | undefined>
  add(
    siteUuid: string,
    gateway: StoredGateway,
    entry: AuditEntry,
  ): Promise<'added' | 'unknown-site' | 'uuid-taken'>
  remove(siteUuid: string, gatewayUuid: string, entry: AuditEntry): Promise<'removed' | 'unknown'>
}
