import { Aggregate, Consumption, toQuery } from './batch.ts'
import { Call } from './call.ts'
import { Commands } from './commands.ts'
import type { Range } from './dates.ts'
import { Events } from './events.ts'
import { Exports } from './export.ts'
import type { List } from './list.ts'
import type { Answer, CallOptions, Send } from './send.ts'
import { SiteCalls } from './site-calls.ts'
import type {
  Command,
  Device,
  DeviceSchedule,
  DeviceWindows,
  GetDeviceConsumptionQuery,
  GetSpaceDailyQuery,
  GetSpaceHourlyQuery,
  IdMapEntry,
  LatestValues,
  ListDevicesQuery,
  ListLatestQuery,
  ListSpacesQuery,
  MetricName,
  MetricType,
  Reading,
  ScheduleBody,
  Simulation,
  SimulationBody,
  Space,
  SpaceOverview,
  SpaceSeries,
  V1Usage,
} from './types.ts'

type InRange<Q> = Omit<Q, 'fromDateTime' | 'toDateTime' | 'limit' | 'cursor'> & Range

export type HourlyQuery = InRange<GetSpaceHourlyQuery>
export type DailyQuery = InRange<GetSpaceDailyQuery>
export type ConsumptionQuery = Omit<InRange<GetDeviceConsumptionQuery>, 'interval'> & {
  interval?: Exclude<GetDeviceConsumptionQuery['interval'], 'raw'>
}
export type LatestQuery = Omit<ListLatestQuery, 'metricTypes' | 'spaceUuids' | 'limit' | 'cursor'> & {
  /** Climate metrics; all if absent. */
  metricTypes?: readonly MetricName[] | undefined
  /** At most 200; all spaces if absent. */
  spaceUuids?: readonly string[] | undefined
}

/** A command that was just sent. */
export type SentCommand = Command & {
  /** Used by every attempt of the call. */
  idempotencyKey: string
  /** Whether an earlier attempt, whose response was lost, had already stored the command. */
  replayed: boolean
}

const at = (prefix: string, uuid: string, rest = ''): string =>
  `/${prefix}/${encodeURIComponent(uuid)}${rest}`

export class Spaces extends SiteCalls {
  list(query: ListSpacesQuery = {}, options?: CallOptions): List<Space> {
    return this.readList('/spaces', query, options)
  }

  overview(spaceUuid: string, options?: CallOptions): Call<SpaceOverview> {
    return this.read(at('spaces', spaceUuid, '/overview'), {}, options)
  }

  /** A series in windows of 15, 30 or 60 minutes; the last 24 hours if the query has no range. */
  hourly(
    spaceUuid: string,
    metric: MetricName,
    query: HourlyQuery = {},
    options?: CallOptions,
  ): Call<SpaceSeries> {
    return this.#series(spaceUuid, metric, 'hourly', query, options)
  }

  /** A series in windows of a day, a week or a month; the last 30 days if the query has no range. */
  daily(
    spaceUuid: string,
    metric: MetricName,
    query: DailyQuery = {},
    options?: CallOptions,
  ): Call<SpaceSeries> {
    return this.#series(spaceUuid, metric, 'daily', query, options)
  }

  #series(
    spaceUuid: string,
    metric: string,
    granularity: string,
    query: Range & object,
    options: CallOptions | undefined,
  ): Call<SpaceSeries> {
    const path = at('spaces', spaceUuid, `/aggregate/${encodeURIComponent(metric)}/${granularity}`)
    return this.read(path, toQuery(query), options)
  }
}

export class Devices extends SiteCalls {
  list(query: ListDevicesQuery = {}, options?: CallOptions): List<Device> {
    return this.readList('/devices', query, options)
  }

  get(deviceUuid: string, options?: CallOptions): Call<Device> {
    return this.read(at('devices', deviceUuid), {}, options)
  }

  /** A series in windows. */
  consumption(
    deviceUuid: string,
    metric: MetricName,
    query: ConsumptionQuery = {},
    options?: CallOptions,
  ): Call<DeviceWindows> {
    return this.read(toConsumption(deviceUuid, metric), toQuery(query), options)
  }

  /** The readings themselves, oldest first. A range is at most 7 days. */
  readings(deviceUuid: string, metric: MetricName, range: Range = {}, options?: CallOptions): List<Reading> {
    const query = { ...toQuery(range), interval: 'raw' }
    return this.readList(toConsumption(deviceUuid, metric), query, options)
  }

  /** The schedule in effect, and the next change. */
  currentSchedule(deviceUuid: string, options?: CallOptions): Call<DeviceSchedule> {
    return this.read(at('devices', deviceUuid, '/schedule'), {}, options)
  }

  /** Sends a command. It is durable when this resolves; `site.commands.wait` waits for its effect. */
  schedule(deviceUuid: string, schedule: ScheduleBody, options: CallOptions = {}): Call<SentCommand> {
    return new Call(this.#schedule(deviceUuid, schedule, options))
  }

  async #schedule(
    deviceUuid: string,
    body: ScheduleBody,
    options: CallOptions,
  ): Promise<Answer<SentCommand>> {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID()
    const path = at('devices', deviceUuid, '/schedule')
    const request = { method: 'POST', path, body, siteId: this.siteUuid }
    const answer = await this.send<Command>(request, { ...options, idempotencyKey })
    const replayed = answer.response.headers.get('idempotency-replayed') === 'true'
    return { ...answer, data: { ...answer.data, idempotencyKey, replayed } }
  }
}

const toConsumption = (deviceUuid: string, metric: string): string =>
  at('devices', deviceUuid, `/consumption/${encodeURIComponent(metric)}`)

/** Help with moving from version 1. */
export class Migration extends SiteCalls {
  /** Ids of version 1 and their UUIDs. */
  idMap(types: readonly ('site' | 'building' | 'space')[] = [], options?: CallOptions): List<IdMapEntry> {
    const query = types.length > 0 ? { type: types } : {}
    return this.readList('/migration/id-map', query, options)
  }

  /** Your calls to version 1, with their replacements. */
  usage(options?: CallOptions): List<V1Usage> {
    return this.readList('/migration/usage', {}, options)
  }
}

/** The calls that concern one site. */
export class Site extends SiteCalls {
  readonly siteId: string
  readonly spaces: Spaces
  readonly devices: Devices
  readonly commands: Commands
  readonly aggregate: Aggregate
  readonly consumption: Consumption
  readonly events: Events
  readonly export: Exports
  readonly migration: Migration

  constructor(send: Send, siteId: string) {
    super(send, siteId)
    this.siteId = siteId
    this.spaces = new Spaces(send, siteId)
    this.devices = new Devices(send, siteId)
    this.commands = new Commands(send, siteId)
    this.aggregate = new Aggregate(send, siteId)
    this.consumption = new Consumption(send, siteId)
    this.events = new Events(send, siteId)
    this.export = new Exports(send, siteId)
    this.migration = new Migration(send, siteId)
  }

  /** The current climate and occupancy of many spaces. */
  latest(query: LatestQuery = {}, options?: CallOptions): Call<LatestValues[]> {
    return new Call(this.#latest(query, options))
  }

  /** Metrics with their units. */
  metricTypes(options?: CallOptions): Call<MetricType[]> {
    const all = this.read<{ data: MetricType[] }>('/metric-types', {}, options)
    return new Call(all.withResponse().then((answer) => ({ ...answer, data: answer.data.data })))
  }

  /** Sets how a simulated device behaves; only on a site that is a sandbox. */
  simulate(deviceUuid: string, body: SimulationBody, options?: CallOptions): Call<Simulation> {
    const path = at('sandbox/devices', deviceUuid, '/simulate')
    return new Call(this.send({ method: 'POST', path, body, siteId: this.siteId }, options))
  }

  #latest(query: LatestQuery, callOptions: CallOptions | undefined): Promise<Answer<LatestValues[]>> {
    return this.send.sequence(callOptions, async (options) => {
      const all: LatestValues[] = []
      for (let cursor: string | undefined; ; ) {
        const list = this.readList<LatestValues>('/latest', { ...query, cursor }, options)
        const answer = await list.page().withResponse()
        all.push(...answer.data.data)
        if (answer.data.nextCursor === null) return { ...answer, data: all }
        cursor = answer.data.nextCursor
      }
    })
  }
}
