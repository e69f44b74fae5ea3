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
  listAll: async ({ after, limit }) =>
    translateErrors(() =>
      prepareOnce(
        reader(),
        'SELECT * FROM sites WHERE (site_name, site_uuid) > (?, ?) ORDER BY site_name, site_uuid LIMIT ?',
      )
        .all(after?.siteName ?? '', after?.siteUuid ?? '', limit)
        .map(fromRow),
    ),
})
