import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Uuid } from '../uuid.ts'
import { Command } from '../v2/command.ts'

export const OperatorCommand = Type.Object(
  {
    ...Command.properties,
    partnerUuid: about(Uuid, 'The partner that sent the command.', EXAMPLE.partnerUuid),
  },
  {
    title: 'OperatorCommand',
    additionalProperties: false,
    description: 'A command with the partner that sent it.',
  },
)

export type OperatorCommand = Static<typeof OperatorCommand>

const nullableName = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })

export const ListedCommand = Type.Object(
  {
    ...OperatorCommand.properties,
    siteUuid: about(Uuid, 'The site of the device.', EXAMPLE.siteUuid),
    siteName: nullableName('The name of the site.', 'Aldgate Court'),
    deviceName: nullableName('The name of the device; null if it was archived.', 'S001 radiator valve'),
    partnerName: nullableName('The name of the partner.', 'Residents’ app'),
  },
  { title: 'ListedCommand', additionalProperties: false, description: 'A command with names.' },
)

export type ListedCommand = Static<typeof ListedCommand>
