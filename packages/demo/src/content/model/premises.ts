import type { Inventory } from '@portico/wire/operator/inventory'
import { byteAt, float32At } from '@portico/server/kernel/at'
import { simulateClimate } from './climate.ts'
import { awakeShare, peopleIn } from './common-areas.ts'
import { createGrid, type Grid } from './grid.ts'
import { toSeed, uniform } from './noise.ts'
import { DOING, simulateLife } from './residents.ts'
import { createWeather, type Weather } from './weather.ts'

type Space = Inventory['spaces'][number]

export interface Room {
  space: Space
  seed: number
  /** The residents of the room: one in a bedroom or studio, all of the flat in its kitchen. */
  lives: Uint8Array[]
  people: Uint8Array
  /** Hundredths of a degree. */
  temperature: Int16Array
  coolingKwh: Float32Array
}

/** People, weather and rooms of a site in every half hour: everything that its devices measure. */
export interface Premises {
  grid: Grid
  weather: Weather
  /** By spaceUuid. */
  rooms: Map<string, Room>
  /** Heat delivered, kWh, by clusterUuid. */
  clusterHeat: Map<string, Float32Array>
  siteHeat: Float32Array
  /** Share of all residents who are at home and awake. */
  awake: Float32Array
  lives: Uint8Array[]
  studioLives: Uint8Array[]
}

const isHome = ({ spaceType }: Space): boolean => spaceType === 'bedroom' || spaceType === 'studio'

export function createPremises(site: Inventory, count: number): Premises {
  const grid = createGrid(site.site.timeZone, count)
  const weather = createWeather(grid, {
    latitude: site.site.latitude ?? 51.5,
    seed: toSeed(site.site.siteUuid),
  })
  const livesIn = new Map(
    site.spaces
      .filter(isHome)
      .map((space) => [
        space.spaceUuid,
        simulateLife(grid, toSeed(space.spaceUuid), space.spaceType === 'studio' ? 'studio' : 'flat'),
      ]),
  )
  const livesOfAll = (spaces: Space[]): Uint8Array[] =>
    spaces.flatMap(({ spaceUuid }) => livesIn.get(spaceUuid) ?? [])
  const lives = [...livesIn.values()]
  const premises: Premises = {
    grid,
    weather,
    rooms: new Map(),
    clusterHeat: new Map(),
    siteHeat: new Float32Array(count),
    awake: awakeShare(grid, lives),
    lives,
    studioLives: livesOfAll(site.spaces.filter(({ spaceType }) => spaceType === 'studio')),
  }
  for (const space of site.spaces) {
    const own = space.spaceType === 'livingKitchenDining' ? listFlat(site, space) : [space]
    addRoom(premises, space, livesOfAll(own))
  }
  return premises
}

const listFlat = (site: Inventory, kitchen: Space): Space[] =>
  site.spaces.filter(
    ({ clusterUuid, spaceType }) =>
      spaceType === 'bedroom' && clusterUuid === (kitchen.clusterUuid ?? kitchen.spaceUuid),
  )

function addRoom(premises: Premises, space: Space, lives: Uint8Array[]): void {
  const { grid, weather } = premises
  const seed = toSeed(space.spaceUuid)
  const people = countPeople(premises, space, lives)
  const isOffice = space.spaceType === 'office'
  const isLivedIn = lives.length > 0
  const { temperature, heatKwh, coolingKwh } = simulateClimate(grid, weather, {
    areaM2: space.areaM2 ?? 15,
    people,
    personW: space.spaceType === 'livingKitchenDining' ? 160 : 95,
    comfort: (isLivedIn ? 20.2 : 19.5) + 1.4 * uniform(seed, 1),
    setback: 17.5 + uniform(seed, 2),
    isComfortSlot: isLivedIn
      ? (slot) => (slot >= 13 && slot < 20) || (slot >= 32 && slot < 47)
      : (slot) => slot >= 14 && slot < 37,
    ...(isOffice && { coolAbove: 23 }),
  })
  premises.rooms.set(space.spaceUuid, { space, seed, lives, people, temperature, coolingKwh })
  if (isOutdoors(space)) return
  addInto(premises.siteHeat, heatKwh)
  if (space.clusterUuid) {
    const heat = premises.clusterHeat.get(space.clusterUuid) ?? new Float32Array(grid.count)
    premises.clusterHeat.set(space.clusterUuid, addInto(heat, heatKwh))
  }
}

function countPeople({ grid, awake }: Premises, space: Space, lives: Uint8Array[]): Uint8Array {
  const { spaceType } = space
  if (spaceType === 'livingKitchenDining') return counted(grid, lives, isInKitchen)
  if (spaceType === 'bedroom') return counted(grid, lives, isInBedroom)
  if (spaceType === 'studio') return counted(grid, lives, (doing) => doing !== DOING.away)
  return peopleIn(
    grid,
    { kind: spaceType, seed: toSeed(space.spaceUuid), capacity: space.capacity ?? 4 },
    awake,
  )
}

const isInKitchen = (doing: number): boolean => doing === DOING.inKitchen || doing === DOING.cooking

const isInBedroom = (doing: number): boolean => doing !== DOING.away && !isInKitchen(doing)

function counted(grid: Grid, lives: Uint8Array[], isThere: (doing: number) => boolean): Uint8Array {
  const people = new Uint8Array(grid.count)
  for (const life of lives) {
    for (let index = 0; index < grid.count; index += 1) {
      if (isThere(byteAt(life, index))) people[index] = byteAt(people, index) + 1
    }
  }
  return people
}

function addInto(sum: Float32Array, part: Float32Array): Float32Array {
  for (let index = 0; index < sum.length; index += 1)
    sum[index] = float32At(sum, index) + float32At(part, index)
  return sum
}

/** The only outdoor space of a site, with its weather sensor. */
export const ROOF = 'Roof'

export const isOutdoors = ({ spaceName }: { spaceName: string }): boolean => spaceName === ROOF
