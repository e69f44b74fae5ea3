import type { DatabaseSync } from 'node:sqlite'
import type { ImageStore } from '../../../domain/estate/image/store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { imageFrom, TENANT } from './image-rows.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

export const sqliteImages = (reader: () => DatabaseSync, writes: BoundWrites<'images'>): ImageStore =>
  withWrites<ImageStore, 'images'>(writes, {
    logo: async () =>
      translateErrors(() => {
        const row = prepareOnce(reader(), 'SELECT * FROM images WHERE subject = ?').get(TENANT)
        return row && imageFrom(row)
      }),
    ofBuilding: async (siteUuid, buildingUuid) =>
      translateErrors(() => {
        const row = prepareOnce(
          reader(),
          `SELECT images.* FROM images JOIN buildings ON building_uuid = subject
         WHERE subject = ? AND site_uuid = ?`,
        ).get(buildingUuid, siteUuid)
        return row && imageFrom(row)
      }),
  })
