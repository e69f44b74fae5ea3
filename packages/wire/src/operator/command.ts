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
  { title: 'OperatorCommand', additionalProperties: false },
)

export type OperatorCommand = Static<typeof OperatorCommand>
