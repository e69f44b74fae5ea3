import { recordAudit } from '../identity/audit.ts'

export const auditWrites = { add: recordAudit }
