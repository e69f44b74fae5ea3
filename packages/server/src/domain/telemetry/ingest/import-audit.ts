import type { Actor, AuditEntry } from '../../identity/audit.ts'

/** The import of a file of readings. */
export interface FileImport {
  file: string
  accepted: number
  replaced: number
  unchanged: number
  refusedCount: number
  isInterrupted?: boolean
}

export const toImportEntry = ({ file, ...counts }: FileImport, actor: Actor, at: number): AuditEntry => ({
  at,
  actor,
  action: 'readings.imported',
  target: file,
  detail: { ...counts },
})
