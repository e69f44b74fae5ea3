/**
 * Whole, half and quarter offsets; changes of an hour, of half of one and of two; midnights that do not exist or come
 * twice; a change that comes with the moon; a day left out; none at all.
 */
export const zones = [
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Africa/Cairo',
  'America/Santiago',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Asia/Tehran',
  'Antarctica/Troll',
  'Asia/Pyongyang',
  'America/Caracas',
  'America/Havana',
  'Asia/Beirut',
] as const

const years = 20

/** The instants at which the clocks of a zone changed in the last twenty years, up to a while ago. */
export function listClockChanges(timeZone: string, notAfter: Temporal.Instant): Temporal.ZonedDateTime[] {
  const last = notAfter.toZonedDateTimeISO(timeZone)
  const found: Temporal.ZonedDateTime[] = []
  let at = last.subtract({ years }).getTimeZoneTransition('next')
  while (at && Temporal.ZonedDateTime.compare(at, last) < 0) {
    found.push(at)
    at = at.getTimeZoneTransition('next')
  }
  return found
}
