import { type Static, Type } from 'typebox'

/** The payload on `…/presence`: the word without quotes. */
export const PresenceMessage = Type.Enum(['online', 'offline'], { title: 'PresenceMessage' })

export type PresenceMessage = Static<typeof PresenceMessage>
