import type { TestContext } from 'node:test'
import { json, type FakeService, startFakeService } from './external-service.ts'

const HALF_HOUR = 1_800_000

const instant = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`

const MIX = [
  { fuel: 'biomass', perc: 7.1 },
  { fuel: 'coal', perc: 0 },
  { fuel: 'imports', perc: 9.3 },
  { fuel: 'gas', perc: 43.6 },
  { fuel: 'nuclear', perc: 13.2 },
  { fuel: 'other', perc: 0.3 },
  { fuel: 'hydro', perc: 2.2 },
  { fuel: 'solar', perc: 0 },
  { fuel: 'wind', perc: 24.3 },
]

export interface GbService extends FakeService {
  /** Grams per kilowatt hour of a half hour; null where the service has none. */
  grams(from: number): number | null
  /** The service's current time: later half hours have a forecast only. */
  now: number
}

/** Behaves as the Carbon Intensity API is documented; like it, includes the half hour before the requested range. */
export async function startGbService(test: TestContext, now: number): Promise<GbService> {
  const halfHours = (from: string, to: string): number[] => {
    const [start, end] = [Date.parse(from), Date.parse(to)]
    const count = Math.round((end - start) / HALF_HOUR) + 1
    return Array.from({ length: count }, (_, index) => start + (index - 1) * HALF_HOUR)
  }
  const within = (at: number) => ({ from: instant(at), to: instant(at + HALF_HOUR) })
  const service: GbService = Object.assign(
    await startFakeService(test, (request, response) => {
      const path = decodeURIComponent(request.url ?? '')
      const [, from = '', to = '', postcode] =
        /^(?:\/regional)?\/(?:intensity|generation)\/([^/]+)\/([^/]+)(?:\/postcode\/([^/]+))?$/.exec(path) ??
        []
      const refuse = (message: string): void =>
        json({ error: { code: '400 Bad Request', message } }, 400)(request, response)
      if (path === '/generation')
        return json({
          data: { ...within(Math.floor(service.now / HALF_HOUR) * HALF_HOUR), generationmix: MIX },
        })(request, response)
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/.test(from) || !/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/.test(to))
        return refuse('Please enter a valid start datetime in ISO8601 format YYYY-MM-DDThh:mmZ')
      if (Date.parse(to) - Date.parse(from) > 14 * 24 * 2 * HALF_HOUR)
        return refuse('Maximum date range is limited to 14 days.')
      const known = halfHours(from, to).filter((at) => service.grams(at) !== null)
      if (path.startsWith('/generation/'))
        return json({ data: known.map((at) => ({ ...within(at), generationmix: MIX })) })(request, response)
      if (postcode === undefined)
        return json({
          data: known.map((at) => ({
            ...within(at),
            intensity: {
              forecast: (service.grams(at) ?? 0) + 5,
              actual: at < service.now ? service.grams(at) : null,
              index: 'moderate',
            },
          })),
        })(request, response)
      if (!/^[A-Z]{1,2}\d/.test(postcode) || postcode === 'ZZ9')
        return refuse('Please enter a valid postcode')
      return json({
        data: {
          regionid: 13,
          dnoregion: 'UKPN London',
          shortname: 'London',
          postcode,
          data: known.map((at) => ({
            ...within(at),
            intensity: { forecast: (service.grams(at) ?? 0) + 100, index: 'high' },
            generationmix: MIX.map(({ fuel, perc }) => ({ fuel, perc: fuel === 'gas' ? perc + 1 : perc })),
          })),
        },
      })(request, response)
    }),
    { grams: () => 200, now },
  )
  return service
}
