import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../../domain/identity/audit.ts'
import type { Image } from '../../../domain/estate/image/image.ts'
import { recordAudit } from '../identity/record-audit.ts'
import { prepareOnce } from '../connect.ts'
import { TENANT } from '../inventory/image-rows.ts'

function set(db: DatabaseSync, subject: string, { type, bytes }: Image, entry: AuditEntry): void {
  prepareOnce(
    db,
    `INSERT INTO images (subject, content_type, bytes) VALUES (?, ?, ?)
     ON CONFLICT (subject) DO UPDATE SET content_type = excluded.content_type, bytes = excluded.bytes`,
  ).run(subject, type, bytes)
  recordAudit(db, entry)
}

export const imageWrites = {
  setLogo: (db: DatabaseSync, image: Image, entry: AuditEntry): void => set(db, TENANT, image, entry),

  setOfBuilding(db: DatabaseSync, buildingUuid: string, image: Image, entry: AuditEntry): boolean {
    const building = prepareOnce(
      db,
      'SELECT 1 FROM buildings WHERE building_uuid = ? AND archived_at IS NULL',
    ).get(buildingUuid)
    if (building) set(db, buildingUuid, image, entry)
    return building !== undefined
  },
}
