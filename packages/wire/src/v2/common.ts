import { Type } from 'typebox'
import { Uuid } from '../uuid.ts'

export const NullableNumber = Type.Union([Type.Number(), Type.Null()])
export const NullableInteger = Type.Union([Type.Integer(), Type.Null()])
export const NullableString = Type.Union([Type.String(), Type.Null()])
export const NullableUuid = Type.Union([Uuid, Type.Null()])

/** Local time of the site with its offset, such as 2026-01-05T00:00:00+00:00. */
export const LocalTime = Type.String({ format: 'date-time', examples: ['2026-11-16T09:00:00+00:00'] })
export const NullableLocalTime = Type.Union([LocalTime, Type.Null()])
