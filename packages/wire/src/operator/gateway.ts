import { type Static, Type } from 'typebox'
import { about, LINE } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Instant, Uuid } from '../uuid.ts'

const NAME = { description: 'A display name, one line of text.', examples: ['Plant room gateway'] }

export const NewGateway = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 200, ...LINE, ...NAME }) },
  { title: 'NewGateway', additionalProperties: false, description: 'The gateway to add.' },
)

const gatewayFields = {
  gatewayUuid: about(Uuid, 'The identifier of the gateway.', EXAMPLE.gatewayUuid),
  siteUuid: about(Uuid, 'The site whose topics it may use.', EXAMPLE.siteUuid),
  name: Type.String(NAME),
  mqttUsername: Type.String({ description: 'Its user name at the broker.', examples: [EXAMPLE.gatewayUuid] }),
  createdAt: about(Instant, 'When it was added.', '2026-11-16T09:30:00.000Z'),
}

export const Gateway = Type.Object(gatewayFields, {
  title: 'Gateway',
  additionalProperties: false,
  description: 'An account of a site’s gateway at the MQTT broker.',
})

export type Gateway = Static<typeof Gateway>

export const AddedGateway = Type.Object(
  {
    ...gatewayFields,
    mqttPassword: Type.String({
      description: 'Its password at the broker, shown only once.',
      examples: ['Zk3v…'],
    }),
    mqttUrl: Type.Union([Type.String(), Type.Null()], {
      description: 'Where the gateway connects; null if no server has started on the store yet.',
      examples: ['mqtts://api.example.com:8883'],
    }),
  },
  { title: 'AddedGateway', additionalProperties: false, description: 'A new account with its password.' },
)

export type AddedGateway = Static<typeof AddedGateway>
