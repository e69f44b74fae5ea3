import { NoQuery } from '@portico/wire/page'
import type { RangeQuery } from '@portico/wire/v1/query'
import type { TSchema } from 'typebox'
import type { BuildingRecord, SpaceRecord } from '../../domain/estate/inventory/inventory.ts'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import type { V1Subject } from '../../domain/v1-lifecycle/catalogue.ts'
import { jsonReply, type Reply } from '../pipeline/reply.ts'
import type { Services } from '../services.ts'

/** `ever`: histories include metrics that the space no longer measures. */
export type MetricScope = 'now' | 'ever'

export type V1Services = Pick<Services, 'aggregate' | 'carbon' | 'images' | 'readings' | 'weather'>

/** Input of every handler: the site, the current time and the validated query. */
export interface V1Call {
  model: SiteModel
  now: number
  query: RangeQuery
  services: V1Services
}

/** Query parameters that make version 2 return the same range. */
export type SuccessorQuery = (call: Pick<V1Call, 'model' | 'now' | 'query'>) => Record<string, string>

export interface Description<Subject = unknown> {
  summary: string
  description: string
  query?: typeof NoQuery | typeof RangeQuery
  /** Schema of the JSON response; images have none. */
  response?: TSchema
  /** Query of the version 2 address besides the metric; none if absent. */
  successorQuery?: SuccessorQuery
  /** Whether the response includes metrics that the space no longer measures. */
  when?: MetricScope
  /** Cost in units of the rate limit. Absent if a call never costs more than one. */
  estimateCost?(call: V1Call & Subject): number
}

/** The record that the path identifies. */
export type V1Target =
  | { kind: 'space'; space: SpaceRecord }
  | { kind: 'building'; building: BuildingRecord }
  | { kind: 'site' }
  | { kind: 'tenant' }

export interface V1Route extends Required<Pick<Description, 'summary' | 'description' | 'query'>> {
  subject: V1Subject
  response: TSchema | undefined
  successorQuery: SuccessorQuery
  when: MetricScope
  estimateCost(call: V1Call, found: V1Target): number
  handle(call: V1Call, found: V1Target): Promise<Reply>
}

/** What routes of every subject share. */
export const common = ({
  query = NoQuery,
  response,
  successorQuery = () => ({}),
  when = 'now',
  summary,
  description,
}: Omit<Description, 'estimateCost'>) => ({
  summary,
  description,
  when,
  query,
  response,
  successorQuery,
})

export const wrongSubjectError = (): never => {
  throw new Error('The catalogue names another subject than the route.')
}

export const spaceRoute = (
  description: Description<{ space: SpaceRecord }>,
  handle: (call: V1Call & { space: SpaceRecord }) => Promise<object>,
): V1Route => ({
  ...common(description),
  subject: 'space',
  estimateCost: (call, found) =>
    found.kind === 'space'
      ? (description.estimateCost?.({ ...call, space: found.space }) ?? 1)
      : wrongSubjectError(),
  handle: async (call, found) =>
    found.kind === 'space' ? jsonReply(await handle({ ...call, space: found.space })) : wrongSubjectError(),
})

export const buildingRoute = (
  description: Description<{ building: BuildingRecord }>,
  handle: (call: V1Call & { building: BuildingRecord }) => Promise<object>,
): V1Route => ({
  ...common(description),
  subject: 'building',
  estimateCost: (call, found) =>
    found.kind === 'building'
      ? (description.estimateCost?.({ ...call, building: found.building }) ?? 1)
      : wrongSubjectError(),
  handle: async (call, found) =>
    found.kind === 'building'
      ? jsonReply(await handle({ ...call, building: found.building }))
      : wrongSubjectError(),
})

export const siteRoute = (description: Description, handle: (call: V1Call) => Promise<object>): V1Route => ({
  ...common(description),
  subject: 'site',
  estimateCost: (call) => description.estimateCost?.(call) ?? 1,
  handle: async (call) => jsonReply(await handle(call)),
})
