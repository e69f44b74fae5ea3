import type { JsonObject } from './json.ts'

/** An instant so many hours from now. */
export const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
const warm = { temperature: 20 }
export const period = (
  days: string[],
  start: string,
  end: string,
  target: JsonObject = warm,
): JsonObject => ({
  days,
  start,
  end,
  target,
})
export const plan = (...periods: JsonObject[]): JsonObject => ({
  type: 'weekly',
  default: { temperature: 16 },
  periods,
})
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
export const hour = (value: number): string => `${String(value).padStart(2, '0')}:00`

/** Command bodies that a radiator valve takes. */
export const goodCommands: Record<string, JsonObject> = {
  'a weekly plan': plan(period(['mon', 'tue'], '06:00', '09:00'), period(['sat'], '08:00', '24:00')),
  'a weekly plan without periods': plan(),
  'a night that runs into the next day': plan(period(everyDay, '22:00', '06:00')),
  'periods that touch': plan(period(['mon'], '06:00', '09:00'), period(['mon'], '09:00', '10:00')),
  'a night that ends when Monday’s period begins': plan(
    period(['sun'], '22:00', '06:00'),
    period(['mon'], '06:00', '08:00'),
  ),
  'a whole day': plan(period(['wed'], '00:00', '24:00')),
  '42 periods': plan(
    ...everyDay.flatMap((day) =>
      [0, 4, 8, 12, 16, 20].map((from) => period([day], hour(from), hour(from + 2))),
    ),
  ),
  'a oneOff to come': { type: 'oneOff', startsAt: at(1), endsAt: at(3), target: warm },
  'a oneOff that has begun': { type: 'oneOff', startsAt: at(-1), endsAt: at(1), target: warm },
  'an override until an instant': { type: 'override', target: warm, until: at(2) },
  'an override for a time': { type: 'override', target: warm, durationMinutes: 90 },
  'an override until the next period': { type: 'override', target: warm, untilNextPeriod: true },
  'an override for good': { type: 'override', target: warm, permanent: true },
  'the shortest boost': { type: 'boost', durationMinutes: 5 },
  'the longest boost': { type: 'boost', durationMinutes: 240, target: { temperature: 25 } },
  'a resume': { type: 'resume' },
  'the common fields': {
    type: 'resume',
    timeZone: 'UTC',
    expiresAt: at(2),
    failIfOffline: false,
    clientReference: 'order 7',
  },
}

/** What no device takes; with the field that the answer names where there is a single one. */
export const wrongCommands: [name: string, body: JsonObject, field?: string][] = [
  ['no type', {}, 'type'],
  ['an unknown type', { type: 'daily' }, 'type'],
  ['a type of another letter case', { type: 'Resume' }, 'type'],
  ['an unknown field', { type: 'resume', colour: 'blue' }, 'colour'],
  ['a field of another type of command', { type: 'resume', durationMinutes: 5 }, 'durationMinutes'],
  ['a reference with a zero character', { type: 'resume', clientReference: 'a\0b' }, 'clientReference'],
  ['no periods', { type: 'weekly', default: warm }, 'periods'],
  ['no default', { type: 'weekly', periods: [] }, 'default'],
  ['periods that are no list', { ...plan(), periods: {} }, 'periods'],
  ['an unknown day', plan(period(['monday'], '06:00', '09:00')), 'periods'],
  ['no day', plan(period([], '06:00', '09:00')), 'periods'],
  ['a start at 24:00', plan(period(['mon'], '24:00', '06:00')), 'periods'],
  ['a time of one digit', plan(period(['mon'], '6:00', '09:00')), 'periods'],
  ['a minute 60', plan(period(['mon'], '06:60', '09:00')), 'periods'],
  ['an hour 25', plan(period(['mon'], '06:00', '25:00')), 'periods'],
  ['a time that is a number', plan({ ...period(['mon'], '06:00', '09:00'), start: 600 }), 'periods'],
  ['a period without a target', plan({ days: ['mon'], start: '06:00', end: '09:00' }), 'periods'],
  ['an unknown field of a period', plan({ ...period(['mon'], '06:00', '09:00'), name: 'x' }), 'periods'],
  ['periods that overlap', plan(period(['mon'], '06:00', '09:00'), period(['mon'], '08:59', '10:00'))],
  [
    'the same period twice',
    plan(period(['mon'], '06:00', '09:00'), period(['mon', 'tue'], '06:00', '09:00')),
  ],
  ['a night into a morning', plan(period(['mon'], '22:00', '06:00'), period(['tue'], '05:00', '08:00'))],
  ['Sunday night into Monday', plan(period(['sun'], '22:00', '06:00'), period(['mon'], '05:00', '08:00'))],
  ['24 hours and one more', plan(period(['mon'], '12:00', '12:00'), period(['tue'], '11:00', '13:00'))],
  [
    '43 periods',
    plan(
      ...everyDay
        .flatMap((day) => [0, 3, 6, 9, 12, 15, 18].map((from) => period([day], hour(from), hour(from + 1))))
        .slice(0, 43),
    ),
  ],
  ['a oneOff without an end', { type: 'oneOff', startsAt: at(1), target: warm }, 'endsAt'],
  ['a oneOff without a target', { type: 'oneOff', startsAt: at(1), endsAt: at(2) }, 'target'],
  ['a oneOff that ends as it begins', { type: 'oneOff', startsAt: at(1), endsAt: at(0.5), target: warm }],
  ['a oneOff already over', { type: 'oneOff', startsAt: at(-3), endsAt: at(-1), target: warm }],
  ['a oneOff at no instant', { type: 'oneOff', startsAt: 'noon', endsAt: at(1), target: warm }, 'startsAt'],
  ['an override without an end', { type: 'override', target: warm }],
  ['an override with two ends', { type: 'override', target: warm, until: at(1), permanent: true }],
  [
    'an override with every end',
    {
      type: 'override',
      target: warm,
      until: at(1),
      durationMinutes: 5,
      untilNextPeriod: true,
      permanent: true,
    },
  ],
  ['an override until the past', { type: 'override', target: warm, until: at(-1) }, 'until'],
  ['permanent: false', { type: 'override', target: warm, permanent: false }],
  ['untilNextPeriod: "true"', { type: 'override', target: warm, untilNextPeriod: 'true' }, 'untilNextPeriod'],
  ['a duration of nothing', { type: 'override', target: warm, durationMinutes: 0 }, 'durationMinutes'],
  ['half a minute', { type: 'override', target: warm, durationMinutes: 1.5 }, 'durationMinutes'],
  ['a duration in text', { type: 'override', target: warm, durationMinutes: '60' }, 'durationMinutes'],
  ['an override without a target', { type: 'override', permanent: true }, 'target'],
  ['a boost of 4 minutes', { type: 'boost', durationMinutes: 4 }, 'durationMinutes'],
  ['a boost of 241 minutes', { type: 'boost', durationMinutes: 241 }, 'durationMinutes'],
  ['a boost without a duration', { type: 'boost' }, 'durationMinutes'],
  ['an empty target', { type: 'override', target: {}, permanent: true }, 'target'],
  [
    'a target with an unknown field',
    { type: 'override', target: { ...warm, mode: 'eco' }, permanent: true },
    'target',
  ],
  ['a temperature in text', { type: 'override', target: { temperature: '20' }, permanent: true }, 'target'],
  ['a temperature of null', { type: 'override', target: { temperature: null }, permanent: true }, 'target'],
  [
    'a power that is neither on nor off',
    { type: 'override', target: { power: 'ON' }, permanent: true },
    'target',
  ],
  ['an unknown zone', { type: 'resume', timeZone: 'Mars/Olympus' }, 'timeZone'],
  ['an empty zone', { type: 'resume', timeZone: '' }, 'timeZone'],
  ...['T12:34:56[UTC]', '2026-01-01T00:00[Europe/London]', '+01:00', 'UTC+1', 'Z', ' UTC'].map(
    (timeZone): [string, JsonObject, string] => [
      `the zone ${timeZone}`,
      { type: 'resume', timeZone },
      'timeZone',
    ],
  ),
  ['failIfOffline in text', { type: 'resume', failIfOffline: 'yes' }, 'failIfOffline'],
  ['a reference that is a number', { type: 'resume', clientReference: 7 }, 'clientReference'],
  ['an expiry at no instant', { type: 'resume', expiresAt: 'soon' }, 'expiresAt'],
]
