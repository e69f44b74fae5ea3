/** What each role permits, in words. */
const ROLES: Readonly<Record<string, string>> = {
  'Spaces.Read': 'Read spaces and their data',
  'Devices.Read': 'Read devices, their data and their commands',
  'Devices.Control': 'Send schedules to devices',
  'Events.Read': 'Read the event log',
  'Webhooks.Manage': 'Manage webhooks',
  'V1.Read': 'Call version 1',
  Operator: 'Operate this installation',
}

export const describeRole = (role: string): string => ROLES[role] ?? role
