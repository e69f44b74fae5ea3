import { Type } from 'typebox'
import { EVENT_SCHEMAS } from './event.ts'

/** The name of a type of events in the log. */
export const EventType = Type.Enum(Object.keys(EVENT_SCHEMAS) as (keyof typeof EVENT_SCHEMAS)[], {
  description: 'The type of the event; GET /event-types describes them.',
  examples: ['command.updated'],
})
