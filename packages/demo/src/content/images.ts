import type { Inventory } from '@portico/wire/operator/inventory'
import type { Image } from '@portico/server/domain/estate/image/image'
import { toSeed, uniform } from './model/noise.ts'

type Building = Inventory['buildings'][number]

const svg = (width: number, height: number, title: string, parts: readonly string[]): Image => ({
  type: 'image/svg+xml',
  bytes: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"><title>${title}</title>${parts.join('')}</svg>\n`,
  ),
})

const box = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`

/** A portico: steps, four columns, a gable. */
export const demoLogo = (): Image =>
  svg(160, 160, 'Portico', [
    box(0, 0, 160, 160, '#1f4e5f'),
    '<path d="M80 28 136 62H24z" fill="#f4f1ea"/>',
    ...[34, 60, 86, 112].map((x) => box(x, 70, 14, 46, '#f4f1ea')),
    box(24, 122, 112, 10, '#f4f1ea'),
  ])

const FLOORS = 4
const WINDOWS = 7

/** A house at night; which of its windows are lit depends on its name only. */
export function demoBuildingImage({ buildingUuid, buildingName }: Building): Image {
  const windows = Array.from({ length: FLOORS * WINDOWS }, (_, index) => {
    const [column, floor] = [index % WINDOWS, Math.floor(index / WINDOWS)]
    const isLit = uniform(toSeed(`${buildingUuid}/window`), index) < 0.45
    return box(52 + column * 32, 56 + floor * 32, 16, 20, isLit ? '#ffd98a' : '#33465a')
  })
  return svg(320, 220, buildingName, [
    box(0, 0, 320, 220, '#16222f'),
    box(36, 40, 248, 160, '#8a5a44'),
    box(28, 32, 264, 10, '#5d3c2e'),
    ...windows,
    box(148, 176, 24, 24, '#2c1d16'),
    box(0, 200, 320, 20, '#26382b'),
  ])
}
