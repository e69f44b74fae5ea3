import { V1Day } from '@portico/wire/operator/migration'
import { Page } from '@portico/wire/page'
import { Type } from 'typebox'
import { HOUR_MS, RETENTION_DAYS } from '../../../domain/v1-lifecycle/hours.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import { page } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { partnerFilter } from '../list-query.ts'
import { OPERATOR_GATES } from '../surface.ts'

const DAY_MS = 24 * HOUR_MS

const DaysQuery = Type.Object({ partnerUuid: partnerFilter('calls') }, { additionalProperties: false })

export const listV1Days = defineRoute({
  method: 'GET',
  path: '/migration/days',
  operationId: 'listV1Days',
  summary: 'List the calls to version 1 by day',
  description: `The last ${RETENTION_DAYS} days in UTC, today included, oldest first; days without calls have zeros.`,
  tags: ['Migration'],
  gates: OPERATOR_GATES,
  query: DaysQuery,
  produces: page('The days', Page(V1Day)),
  errors: ['forbidden'],
  async handle({ query }, { clock, v1Usage }: Pick<Services, 'clock' | 'v1Usage'>) {
    const today = clock.now() - (clock.now() % DAY_MS)
    const days = Array.from(
      { length: RETENTION_DAYS },
      (_, index) => today - (RETENTION_DAYS - 1 - index) * DAY_MS,
    )
    const partnerUuid = query.partnerUuid?.toLowerCase()
    const periods = await v1Usage.listPeriods({ from: days[0] ?? today, periodMs: DAY_MS, partnerUuid })
    const byDay = new Map(periods.map(({ at, ...counts }) => [at, counts]))
    const data = days.map(
      (at): V1Day => ({
        day: isoInstant(at).slice(0, 10),
        ...(byDay.get(at) ?? { calls: 0, failed: 0, partners: 0 }),
      }),
    )
    return jsonReply({ data, pagination: { nextCursor: null, hasMore: false } })
  },
})
