import { NoQuery } from '@portico/wire/page'
import type { RangeQuery } from '@portico/wire/v1/query'
import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import type { BuildingRecord, SpaceRecord } from '../../inventory/inventory.ts'
import type { SiteModel } from '../../inventory/site-model.ts'
import type { V1Subject } from '../../migration/catalogue.ts'
import type { Services } from '../services.ts'
import type { When } from './metrics.ts'

/** What every handler is given: the site, the instant that is now, the checked query. */
export interface V1Call {
  model: SiteModel
  now: number
  query: RangeQuery
  services: Services
}

/** Stretches of the answer that a query of version 2 must name to show the same. */
export type SuccessorQuery = (call: Pick<V1Call, 'model' | 'now' | 'query'>) => Record<string, string>

interface Description<Subject = unknown> {
  summary: string
  description: string
  query?: TSchema
  /** Of the 200's JSON; images have none. */
  answer?: TSchema
  /** What the address of version 2 needs beside the metric; nothing when absent. */
  successorQuery?: SuccessorQuery
  /** Whether metrics that have left the space are part of the answer. */
  when?: When
  /** Cost in units of the rate limit. Absent if a call never costs more than one. */
  estimateCost?(call: V1Call & Subject): number
}

/** What is asked about, found by its identifier. */
export type Found =
  | { kind: 'space'; space: SpaceRecord }
  | { kind: 'building'; building: BuildingRecord }
  | { kind: 'site' }
  | { kind: 'tenant' }

export interface V1Route extends Required<Pick<Description, 'summary' | 'description' | 'query'>> {
  subject: V1Subject
  answer: TSchema | undefined
  successorQuery: SuccessorQuery
  when: When
  estimateCost(call: V1Call, found: Found): number
  handle(call: V1Call, found: Found, reply: FastifyReply): Promise<object>
}

const common = ({
  query = NoQuery,
  answer,
  successorQuery = () => ({}),
  when = 'now',
  summary,
  description,
}: Omit<Description, 'estimateCost'>) => ({
  summary,
  description,
  when,
  query,
  answer,
  successorQuery,
})

const misrouted = (): never => {
  throw new Error('The catalogue names another subject than the route.')
}

export const spaceRoute = (
  description: Description<{ space: SpaceRecord }>,
  handle: (call: V1Call & { space: SpaceRecord }) => Promise<object>,
): V1Route => ({
  ...common(description),
  subject: 'space',
  estimateCost: (call, found) =>
    found.kind === 'space' ? (description.estimateCost?.({ ...call, space: found.space }) ?? 1) : misrouted(),
  handle: (call, found) => (found.kind === 'space' ? handle({ ...call, space: found.space }) : misrouted()),
})

export const buildingRoute = (
  description: Description<{ building: BuildingRecord }>,
  handle: (call: V1Call & { building: BuildingRecord; reply: FastifyReply }) => Promise<object>,
): V1Route => ({
  ...common(description),
  subject: 'building',
  estimateCost: (call, found) =>
    found.kind === 'building'
      ? (description.estimateCost?.({ ...call, building: found.building }) ?? 1)
      : misrouted(),
  handle: (call, found, reply) =>
    found.kind === 'building' ? handle({ ...call, building: found.building, reply }) : misrouted(),
})

export const siteRoute = (description: Description, handle: (call: V1Call) => Promise<object>): V1Route => ({
  ...common(description),
  subject: 'site',
  estimateCost: (call) => description.estimateCost?.(call) ?? 1,
  handle: (call) => handle(call),
})

export const tenantRoute = (
  description: Description,
  handle: (call: V1Call & { reply: FastifyReply }) => Promise<object>,
): V1Route => ({
  ...common(description),
  subject: 'tenant',
  estimateCost: () => 1,
  handle: (call, _found, reply) => handle({ ...call, reply }),
})
