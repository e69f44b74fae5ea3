import { type Static, Type } from 'typebox'
import { Instant, Uuid } from '../uuid.ts'

export const NewGateway = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }) },
  { additionalProperties: false },
)

const gatewayFields = {
  gatewayUuid: Uuid,
  siteUuid: Uuid,
  name: Type.String(),
  mqttUsername: Type.String(),
  createdAt: Instant,
}

export const Gateway = Type.Object(gatewayFields, { additionalProperties: false })

export type Gateway = Static<typeof Gateway>

export const AddedGateway = Type.Object(
  { ...gatewayFields, mqttPassword: Type.String({ description: 'Shown only once.' }) },
  { additionalProperties: false },
)

export type AddedGateway = Static<typeof AddedGateway>
