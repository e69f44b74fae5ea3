/**
 * Whole, half and quarter-hour offsets; changes of one hour, half an hour and two hours; midnights that do not exist or
 * occur twice; a change that follows the lunar calendar; a skipped day; no changes at all.
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

/** Clock changes of a zone in the last twenty years, up to some time ago. */
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
