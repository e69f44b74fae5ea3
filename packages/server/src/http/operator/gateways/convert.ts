import type { AddedGateway as WireAddedGateway, Gateway as WireGateway } from '@portico/wire/operator/gateway'
import type { Gateway } from '../../../domain/estate/gateway/gateway.ts'
import type { AddedGateway } from '../../../domain/estate/gateway/service.ts'
import { isoInstant } from '../../../kernel/clock.ts'

export const toWireGateway = ({
  gatewayUuid,
  siteUuid,
  name,
  mqttUsername,
  createdAt,
}: Gateway): WireGateway => ({
  gatewayUuid,
  siteUuid,
  name,
  mqttUsername,
  createdAt: isoInstant(createdAt),
})

export const toWireAddedGateway = (gateway: AddedGateway, mqttUrl: string | undefined): WireAddedGateway => ({
  ...toWireGateway(gateway),
  mqttPassword: gateway.mqttPassword,
  mqttUrl: mqttUrl ?? null,
})
