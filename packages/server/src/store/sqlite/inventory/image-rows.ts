import { type Image, IMAGE_TYPES } from '../../../domain/estate/image/image.ts'
import { blob, type Row } from '../row.ts'

/** The subject of the tenant's logo; a building's image has the building's UUID. */
export const TENANT = 'tenant'

export const imageFrom = (row: Row): Image => {
  const type = IMAGE_TYPES.find((known) => known === row['content_type'])
  if (!type) throw new Error('Column content_type holds an unknown type.')
  return { type, bytes: blob(row, 'bytes') }
}
