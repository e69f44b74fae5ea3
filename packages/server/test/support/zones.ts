/** Whole, half and quarter hours, both hemispheres, changes of half an hour and two hours, days without midnight, a day skipped. */
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

/** The instants at which the clocks of a zone changed in twenty years. */
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
