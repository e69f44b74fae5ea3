import { EXAMPLE } from '@portico/wire/example-ids'
import { deviceList, GROUPS, metricList, spaceList } from '@portico/wire/v2/batch'
import { Type } from 'typebox'
import { CALENDAR_INTERVALS, CLOCK_INTERVALS } from '../../calendar/window-edges.ts'
import { EXPORT_FORMAT_NAMES } from '../../domain/telemetry/export/format.ts'
import { exported } from '../pipeline/produces.ts'
import { filters, requiredRangeQuery, spaceTypeFilter } from '../v2/query.ts'

const common = {
  ...requiredRangeQuery,
  metricTypes: Type.Optional(metricList('electricity')),
  format: Type.Optional(
    Type.Enum([...EXPORT_FORMAT_NAMES], {
      description: 'The format of the rows; ndjson if absent.',
      examples: ['ndjson'],
    }),
  ),
}

/** Query parameters of an export of readings. */
export const readingsQuery = { ...common, deviceUuids: deviceList }

/** Query parameters of an export of windows. */
export const windowsQuery = {
  ...common,
  interval: Type.Optional(
    Type.Enum([...CLOCK_INTERVALS, ...CALENDAR_INTERVALS], {
      description: 'The length of a window; PT1H if absent.',
    }),
  ),
  groupBy: Type.Optional(
    Type.Enum([...GROUPS], { description: 'Sums or pools the spaces of a group. The default is space.' }),
  ),
  spaceUuids: spaceList,
  buildingUuid: filters.buildingUuid,
  clusterUuid: filters.clusterUuid,
  spaceType: spaceTypeFilter,
}

const FINAL = '{"end":true,"records":1}'

const READING = {
  deviceUuid: EXAMPLE.meterUuid,
  metricType: 'electricity',
  timestamp: '2026-11-14T10:00:00Z',
  value: 1234.5,
}

const WINDOW = {
  spaceUuid: EXAMPLE.spaceUuid,
  metricType: 'electricity',
  timestamp: '2026-11-14T10:00:00+00:00',
  value: 0.34,
  min: null,
  max: null,
  quality: 'measured',
  coverage: 1,
}

export const producesReadings = exported(
  'The readings, by local day, device, metric and time',
  `${JSON.stringify(READING)}\n${FINAL}\n`,
)

export const producesWindows = exported(
  'The windows, by local day, space or group, metric and time',
  `${JSON.stringify(WINDOW)}\n${FINAL}\n`,
)

const COMPLETE =
  'NDJSON ends with {"end":true,"records":N} and Parquet with its footer. If the server fails, it closes the connection without the last chunk of the body, which HTTP clients report as an error: a truncated export never looks complete. At most 366 days, and two exports at a time for a partner and site.'

export const READINGS_DESCRIPTION = `Every reading of the devices, in the form in which readings are imported. Without metricTypes and deviceUuids, all of the site. ${COMPLETE}`

export const WINDOWS_DESCRIPTION = `The windows of all spaces, with exactly the values of single reads. Without metricTypes, every metric that devices measure. ${COMPLETE}`
