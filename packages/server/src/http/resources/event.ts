import { EVENT_TYPE_NAMES, isEventType, visibleTypes } from '../../domain/event/event.ts'
import { type EventPage, toEventText } from '../../domain/event/log.ts'
import type { EventFilter } from '../../domain/event/store.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { Role } from '../../domain/identity/partner/partner.ts'

interface FilterQuery {
  types?: string
  deviceUuid?: string
  spaceUuid?: string
}

/** The events that the query selects and the caller may see. Roles are checked when events are read. */
export function toEventFilter(
  { types, deviceUuid, spaceUuid }: FilterQuery,
  roles: readonly Role[],
): EventFilter {
  const visible = visibleTypes(roles)
  const wanted = types?.split(',')
  if (wanted && !wanted.every(isEventType))
    throw invalidField('types', 'not-allowed', `must be one or more of ${EVENT_TYPE_NAMES.join(', ')}`)
  return {
    types: wanted ? visible.filter((type) => wanted.includes(type)) : visible,
    ...(deviceUuid === undefined ? {} : { deviceUuid: deviceUuid.toLowerCase() }),
    ...(spaceUuid === undefined ? {} : { spaceUuid: spaceUuid.toLowerCase() }),
  }
}

export const DEFAULT_EVENT_LIMIT = 100

export const toEventPageText = ({ events, nextAfter, hasMore }: EventPage): string =>
  `{"data":[${events.map(toEventText).join()}],"pagination":${JSON.stringify({ nextAfter, hasMore })}}`
