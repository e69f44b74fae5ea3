import { Type } from 'typebox'

/** The types of events in the log. */
export const EventType = Type.Enum(
  ['command.updated', 'device.online', 'device.offline', 'inventory.changed'],
  {
    description: 'What happened.',
    examples: ['command.updated'],
  },
)
