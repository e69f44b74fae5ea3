import { recordAudit } from '../identity/record-audit.ts'

export const auditWrites = { add: recordAudit }
