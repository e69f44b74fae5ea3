import type { DatabaseSync } from 'node:sqlite'
import type { Site } from '../../../domain/estate/inventory/inventory.ts'
import type { SiteStore } from '../../../domain/estate/inventory/store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { flag, type Row, text } from '../row.ts'

const fromRow = (row: Row): Site => ({
  siteUuid: text(row, 'site_uuid'),
  siteName: text(row, 'site_name'),
  timeZone: text(row, 'time_zone'),
  sandbox: flag(row, 'sandbox'),
})

export const sqliteSites = (reader: () => DatabaseSync): SiteStore => ({
  list: async (siteUuids) =>
    translateErrors(() =>
      prepareOnce(
        reader(),
        `SELECT * FROM sites WHERE site_uuid IN (SELECT value FROM json_each(?)) ORDER BY site_name, site_uuid`,
      )
        .all(JSON.stringify(siteUuids))
        .map(fromRow),
    ),
  listAll: async ({ after, limit, search = '' }) =>
    translateErrors(() =>
      prepareOnce(
        reader(),
        `SELECT * FROM sites
         WHERE (site_name, site_uuid) > (?1, ?2)
           AND (instr(lower(site_name), lower(?3)) > 0 OR site_uuid = lower(?3))
         ORDER BY site_name, site_uuid LIMIT ?4`,
      )
        .all(after?.siteName ?? '', after?.siteUuid ?? '', search, limit)
        .map(fromRow),
    ),
})
