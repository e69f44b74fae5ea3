import type { DeviceReadings } from '@portico/wire/v2/series'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { Zone } from '../../../calendar/zone.ts'
import type { Device } from '../../../domain/estate/inventory/site-model.ts'
import { isMeasured, METRICS } from '../../../domain/metric/catalogue.ts'
import { estimateListCost } from '../../../domain/telemetry/series/query-cost.ts'
import { resolveSpan } from '../../../domain/telemetry/series/range.ts'
import { numberAt } from '../../../kernel/at.ts'
import { invalidField } from '../../../kernel/errors.ts'
import type { MaybePromise } from '../../../kernel/maybe-promise.ts'
import { toBody } from '../../pipeline/body/streamed-body.ts'
import { csvPieces, SERIES_COLUMNS } from '../../pipeline/csv.ts'
import { linkToNext, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { jsonOrCsvReply, prefersCsv } from '../../pipeline/produces.ts'
import { CSV_TYPE, type Reply } from '../../pipeline/reply.ts'
import type { ConsumptionCall, ConsumptionServices } from './consumption-call.ts'

/** Readings of a JSON page without `limit`. */
const MAX_READINGS = 1000

/** Responds with the readings themselves: as JSON in pages, as CSV the whole range unless `limit` is given. */
export function readingsReply(
  call: ConsumptionCall,
  services: ConsumptionServices,
  device: Device,
): MaybePromise<Reply | undefined> {
  if (call.query.compareTo !== undefined) {
    throw invalidField('compareTo', 'not-allowed', 'is not allowed with interval=raw')
  }
  const isPaged = call.query.limit !== undefined || call.query.cursor !== undefined
  return prefersCsv(call) && !isPaged
    ? allReadings(call, services, device)
    : pageOfReadings(call, services, device)
}

/** The whole range as CSV: a range of readings is at most a week. */
async function allReadings(
  call: ConsumptionCall,
  services: ConsumptionServices,
  device: Device,
): Promise<Reply | undefined> {
  const { zone } = call.site
  const found = await findReadings(call, services, device, resolveReadingSpan(call, services))
  return services.queries.run(call, estimateListCost(found.length), () => ({
    status: 200,
    type: CSV_TYPE,
    body: toBody(
      () => csvPieces(SERIES_COLUMNS, found, (reading) => toWireReading(zone, reading)),
      found.length,
    ),
  }))
}

async function pageOfReadings(
  call: ConsumptionCall,
  services: ConsumptionServices,
  device: Device,
): Promise<Reply> {
  const { site: model, query } = call
  const metric = call.params.metrictype
  const { fromDateTime = '', toDateTime = '' } = query
  const scope = `readings ${call.caller.partnerUuid} ${device.record.deviceUuid} ${metric} ${fromDateTime} ${toDateTime}`
  const { limit, position } = readPageQuery(
    {
      limit: query.limit ?? String(MAX_READINGS),
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    },
    services,
    scope,
  )
  // The cursor contains the resolved range: an open-ended range must not move with the clock from page to page.
  const [from, to, at] = position === undefined ? [] : position.split(' ').map(Number)
  const requested = from === undefined || to === undefined ? resolveReadingSpan(call, services) : { from, to }
  const found = await findReadings(call, services, device, { from: at ?? requested.from, to: requested.to })
  const page = toPage(
    found.slice(0, limit + 1),
    limit,
    (reading) => toWireReading(model.zone, reading),
    ({ time }) => services.cursors.encode(scope, `${requested.from} ${requested.to} ${time + 1}`),
  )
  const body: DeviceReadings = {
    deviceUuid: device.record.deviceUuid,
    metricType: metric,
    unit: METRICS[metric].unit,
    aggregation: METRICS[metric].aggregation,
    granularity: 'raw',
    interval: 'raw',
    timeZone: model.site.timeZone,
    fromDateTime: model.zone.format(requested.from),
    toDateTime: model.zone.format(requested.to),
    hasData: page.data.length > 0,
    timeSeries: page.data,
    pagination: page.pagination,
  }
  return {
    ...jsonOrCsvReply(call, body, SERIES_COLUMNS, page.data),
    headers: linkToNext(call, services, page.pagination, limit),
  }
}

const resolveReadingSpan = ({ query, site }: ConsumptionCall, { clock }: ConsumptionServices): TimeSpan =>
  resolveSpan(
    { fromDateTime: query.fromDateTime, toDateTime: query.toDateTime },
    'raw',
    site.zone,
    clock.now(),
  )

interface FoundReading {
  time: number
  value: number
}

async function findReadings(
  { site, params }: ConsumptionCall,
  services: ConsumptionServices,
  device: Device,
  span: TimeSpan,
): Promise<FoundReading[]> {
  const seriesId = isMeasured(params.metrictype) ? device.series[params.metrictype] : undefined
  if (seriesId === undefined) return []
  const { timestamps, values } = await services.readings.within(site.site.siteUuid, seriesId, span)
  return Array.from(timestamps, (time, index) => ({ time, value: numberAt(values, index) }))
}

const toWireReading = (zone: Zone, { time, value }: FoundReading): DeviceReadings['timeSeries'][number] => ({
  timestamp: zone.format(time),
  value,
})
