/**
 * Whole, half and quarter-hour offsets, both hemispheres, changes of half an hour and two hours, days without midnight,
 * a skipped day.
 */
export const ZONES = [
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'America/Santiago',
  'Pacific/Apia',
  'America/St_Johns',
  'Pacific/Chatham',
  'Asia/Tehran',
  'Antarctica/Troll',
  'UTC',
] as const

/** Clock changes of a zone in twenty years. */
export function listChanges(zone: string): number[] {
  const changes: number[] = []
  const start = Temporal.Instant.from('2007-01-01T00:00Z').toZonedDateTimeISO(zone)
  for (
    let at = start.getTimeZoneTransition('next');
    at && at.year < 2027;
    at = at.getTimeZoneTransition('next')
  ) {
    changes.push(at.epochMilliseconds)
  }
  return changes
}
