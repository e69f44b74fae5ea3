import type { AddedGateway, AddedPartner } from '@portico/sdk/operator'

/** The settings that the SDK, the examples and `npx @portico/sdk check` read from the environment. */
export const toEnvironment = (added: AddedPartner): string =>
  added.roles.length === 1 && added.roles.includes('Operator')
    ? toOperatorEnvironment(added)
    : toPartnerEnvironment(added)

function toPartnerEnvironment(partner: AddedPartner): string {
  const { authUrl, baseUrl, clientId, clientSecret, sites } = partner
  return toLines([
    ['PORTICO_BASE_URL', baseUrl],
    ['PORTICO_AUTH_URL', authUrl],
    ['PORTICO_CLIENT_ID', clientId],
    ['PORTICO_CLIENT_SECRET', clientSecret],
    ...sites.slice(0, 1).map((site) => ['PORTICO_SITE_ID', site] as const),
  ])
}

/** The credentials of an operator have different names, so that a program can have both. */
const toOperatorEnvironment = ({ authUrl, baseUrl, clientId, clientSecret }: AddedPartner): string =>
  toLines([
    ['PORTICO_OPERATOR_URL', baseUrl.replace(/\/v2$/, '/operator')],
    ['PORTICO_AUTH_URL', authUrl],
    ['PORTICO_OPERATOR_CLIENT_ID', clientId],
    ['PORTICO_OPERATOR_CLIENT_SECRET', clientSecret],
  ])

export const toGatewayEnvironment = ({
  siteUuid,
  mqttUrl,
  mqttUsername,
  mqttPassword,
}: AddedGateway): string =>
  toLines([
    ['PORTICO_SITE_ID', siteUuid],
    ...(mqttUrl === null ? [] : [['MQTT_URL', mqttUrl] as const]),
    ['MQTT_USERNAME', mqttUsername],
    ['MQTT_PASSWORD', mqttPassword],
  ])

const toLines = (settings: readonly (readonly [name: string, value: string])[]): string =>
  settings.map(([name, value]) => `${name}=${value}\n`).join('')
