import type { Config } from '../config/config.ts'
import type { CarbonProvider } from '../domain/external/carbon/provider.ts'
import { performanceScores } from '../domain/telemetry/insight/performance-series.ts'
import {
  createSeriesService,
  type SeriesReads,
  type SeriesService,
} from '../domain/telemetry/series/service.ts'
import type { Clock } from '../kernel/clock.ts'

/** The series of spaces and devices, with the emission factors of the configuration. */
export const createAggregate = (
  config: Config,
  { readings, rollups }: SeriesReads,
  clock: Clock,
  carbon: CarbonProvider,
): SeriesService =>
  createSeriesService({
    readings,
    rollups,
    clock,
    derived: { performance: performanceScores },
    carbonIntensity: ({ site }, { from, to }) => carbon.forEmissions(site, from, to),
    emissionFactors: {
      gas: config.gasKgPerM3,
      heating: config.heatKgPerKwh,
      cooling: config.coolingKgPerKwh,
    },
  })
