import { type Static, Type } from 'typebox'
import { Uuid } from '../uuid.ts'
import { Command } from '../v2/command.ts'

export const OperatorCommand = Type.Object(
  {
    ...Command.properties,
    partnerUuid: Type.String({ ...Uuid, description: 'The partner that sent the command.' }),
  },
  { title: 'OperatorCommand', additionalProperties: false },
)

export type OperatorCommand = Static<typeof OperatorCommand>
