import type { NewPartner } from '@portico/sdk/operator'

export type Role = NewPartner['roles'][number]

/** What each role allows. */
export const ROLES: readonly { value: Role; name: string; hint: string }[] = [
  { value: 'Spaces.Read', name: 'Spaces.Read', hint: 'spaces, their consumption and climate' },
  { value: 'Devices.Read', name: 'Devices.Read', hint: 'devices, their readings and commands' },
  { value: 'Devices.Control', name: 'Devices.Control', hint: 'send schedules to devices and cancel them' },
  { value: 'Events.Read', name: 'Events.Read', hint: 'the event log of a site' },
  { value: 'Webhooks.Manage', name: 'Webhooks.Manage', hint: 'have events sent to a webhook' },
  { value: 'V1.Read', name: 'V1.Read', hint: 'version 1, until it is retired' },
  {
    value: 'Operator',
    name: 'Operator',
    hint: 'everything in the operator’s part of the console: for the platform team only',
  },
]

/** What most partners need. */
export const USUAL_ROLES: readonly Role[] = ['Spaces.Read', 'Devices.Read']
