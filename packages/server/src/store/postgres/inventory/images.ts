import type { AuditEntry } from '../../../domain/identity/audit.ts'
import { type Image, IMAGE_TYPES } from '../../../domain/estate/image/image.ts'
import type { ImageStore } from '../../../domain/estate/image/store.ts'
import { recordAudit } from '../identity/audit.ts'
import type { Database, Sql } from '../pool/connect.ts'

interface Row {
  content_type: string
  bytes: Uint8Array
}

const TENANT = 'tenant'

const fromRow = (row: Row): Image => {
  const type = IMAGE_TYPES.find((known) => known === row.content_type)
  if (!type) throw new Error('Column content_type holds an unknown type.')
  return { type, bytes: new Uint8Array(row.bytes) }
}

async function set(sql: Sql, subject: string, { type, bytes }: Image, entry: AuditEntry): Promise<void> {
  await sql`
    INSERT INTO images (subject, content_type, bytes) VALUES (${subject}, ${type}, ${bytes})
    ON CONFLICT (subject) DO UPDATE SET content_type = excluded.content_type, bytes = excluded.bytes`
  await recordAudit(sql, entry)
}

async function isThere(sql: Sql, buildingUuid: string): Promise<boolean> {
  const [known] = await sql<{ site_uuid: string }[]>`
    SELECT site_uuid FROM identifiers WHERE kind = 'building' AND uuid = ${buildingUuid}`
  if (!known) return false
  const found = await sql`
    SELECT 1 FROM buildings
    WHERE site_uuid = ${known.site_uuid} AND building_uuid = ${buildingUuid} AND archived_at IS NULL`
  return found.length > 0
}

export const postgresImages = (db: Database): ImageStore => ({
  logo: () =>
    db.read(async (sql) => {
      const [row] = await sql<Row[]>`SELECT content_type, bytes FROM images WHERE subject = ${TENANT}`
      return row && fromRow(row)
    }),
  setLogo: (image, entry) => db.write((sql) => set(sql, TENANT, image, entry)),
  ofBuilding: (siteUuid, buildingUuid) =>
    db.read(async (sql) => {
      const [row] = await sql<Row[]>`
        SELECT content_type, bytes FROM images CROSS JOIN identifiers
        WHERE subject = ${buildingUuid} AND kind = 'building' AND uuid = ${buildingUuid} AND site_uuid = ${siteUuid}`
      return row && fromRow(row)
    }),
  setOfBuilding: (buildingUuid, image, entry) =>
    db.write(async (sql) => {
      if (!(await isThere(sql, buildingUuid))) return false
      await set(sql, buildingUuid, image, entry)
      return true
    }),
})
