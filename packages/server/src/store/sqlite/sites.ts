import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../audit/audit.ts'
import type { Site } from '../../site/site.ts'
import type { SiteStore } from '../../site/store.ts'
import { recordAudit } from './audit.ts'
import { prepared } from './connect.ts'
import { reading } from './failure.ts'
import { flag, type Row, text } from './row.ts'
import type { Writer } from './writer.ts'

const fromRow = (row: Row): Site => ({
  siteUuid: text(row, 'site_uuid'),
  siteName: text(row, 'site_name'),
  timeZone: text(row, 'time_zone'),
  sandbox: flag(row, 'sandbox'),
})

export const siteWrites = {
  addSite(db: DatabaseSync, site: Site, entry: AuditEntry): 'added' | 'uuid-taken' {
    const { changes } = prepared(
      db,
      `INSERT INTO sites (site_uuid, site_name, time_zone, sandbox) VALUES (?, ?, ?, ?)
       ON CONFLICT (site_uuid) DO NOTHING`,
    ).run(site.siteUuid, site.siteName, site.timeZone, site.sandbox ? 1 : 0)
    if (changes === 0) return 'uuid-taken'
    recordAudit(db, entry)
    return 'added'
  },
}

export const sqliteSites = (reader: () => DatabaseSync, writer: Writer): SiteStore => ({
  list: (siteUuids) =>
    reading(() =>
      prepared(
        reader(),
        `SELECT * FROM sites WHERE site_uuid IN (SELECT value FROM json_each(?)) ORDER BY site_name, site_uuid`,
      )
        .all(JSON.stringify(siteUuids))
        .map(fromRow),
    ),
  add: (site, entry) => writer.run('addSite', site, entry),
})
