import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../audit/audit.ts'
import { type Image, IMAGE_TYPES } from '../../image/image.ts'
import type { ImageStore } from '../../image/store.ts'
import { recordAudit } from './audit.ts'
import { prepared } from './connect.ts'
import { translateErrors } from './failure.ts'
import { blob, type Row } from './row.ts'
import type { Writer } from './writer.ts'

const TENANT = 'tenant'

const fromRow = (row: Row): Image => {
  const type = IMAGE_TYPES.find((known) => known === row['content_type'])
  if (!type) throw new Error('Column content_type holds an unknown type.')
  return { type, bytes: blob(row, 'bytes') }
}

function set(db: DatabaseSync, subject: string, { type, bytes }: Image, entry: AuditEntry): void {
  prepared(
    db,
    `INSERT INTO images (subject, content_type, bytes) VALUES (?, ?, ?)
     ON CONFLICT (subject) DO UPDATE SET content_type = excluded.content_type, bytes = excluded.bytes`,
  ).run(subject, type, bytes)
  recordAudit(db, entry)
}

export const imageWrites = {
  setLogo: (db: DatabaseSync, image: Image, entry: AuditEntry): void => set(db, TENANT, image, entry),

  setBuildingImage(db: DatabaseSync, buildingUuid: string, image: Image, entry: AuditEntry): boolean {
    const building = prepared(
      db,
      'SELECT 1 FROM buildings WHERE building_uuid = ? AND archived_at IS NULL',
    ).get(buildingUuid)
    if (building) set(db, buildingUuid, image, entry)
    return building !== undefined
  },
}

export const sqliteImages = (reader: () => DatabaseSync, writer: Writer): ImageStore => ({
  logo: async () =>
    translateErrors(() => {
      const row = prepared(reader(), 'SELECT * FROM images WHERE subject = ?').get(TENANT)
      return row && fromRow(row)
    }),
  setLogo: (image, entry) => writer.run('setLogo', image, entry),
  ofBuilding: async (siteUuid, buildingUuid) =>
    translateErrors(() => {
      const row = prepared(
        reader(),
        `SELECT images.* FROM images JOIN buildings ON building_uuid = subject
         WHERE subject = ? AND site_uuid = ?`,
      ).get(buildingUuid, siteUuid)
      return row && fromRow(row)
    }),
  setOfBuilding: (buildingUuid, image, entry) => writer.run('setBuildingImage', buildingUuid, image, entry),
})
