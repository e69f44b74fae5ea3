import { join } from 'node:path'
import type { Inventory } from '@portico/wire/operator/inventory'
import { SERVER } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import { fromWireInventory } from '../http/operator/inventory/convert.ts'
import type { Services } from '../http/services.ts'
import { type BrokerAddress, brokerAddressOf } from '../mqtt/connection.ts'
import { PARTNER_ROLES, type Role } from '../partner/partner.ts'
import type { Store } from '../store/store.ts'
import { banner } from './banner.ts'
import {
  DEMO_GATEWAY_UUID,
  DEMO_SITE_UUID,
  demoBuildingImage,
  demoInventories,
  demoLogo,
  OTHER_GATEWAY_UUID,
  troublesOf,
} from './content/index.ts'
import { readEnv, writeEnv } from './env-file.ts'
import { deviceAddress, ensureGateway, type GatewayAccount } from './gateways.ts'
import { fillHistory, type Progress } from './history.ts'
import type { DemoGateway } from './simulator/simulator.ts'

const IN_USE = 'The store is in use and not a demo’s: --demo has added nothing to it.\n'
/** What is made within some seconds. PostgreSQL takes several times as long as a file for each reading. */
const HISTORY_DAYS: Record<Config['database']['kind'], number> = { sqlite: 400, postgres: 92 }
const PARTNER_NAME = 'Demo partner'
const OPERATOR_NAME = 'Demo operator'
const GATEWAY_NAME = 'Demo gateway'

interface Credentials {
  clientId: string
  clientSecret: string
}

export interface PreparedDemo {
  /** To print. */
  text: string
  /** Who is to be played; none where the store is not a demo's. */
  gateways: DemoGateway[]
}

/** Makes the demo on an empty store, brings its history up to now and writes demo.env. */
export async function prepareDemo(
  config: Config,
  mqttPort: number,
  services: Services,
  store: Store,
  progress: Progress,
): Promise<PreparedDemo> {
  if (!(await store.becomeDemo())) return { text: IN_USE, gateways: [] }
  const { main, other } = demoInventories()
  const since = services.clock.now()
  for (const inventory of [main, other]) {
    // Only when it is not there: what an operator has changed since stays changed.
    const isThere = await services.siteDirectory.find(inventory.site.siteUuid)
    if (!isThere) await services.inventory.apply(fromWireInventory(inventory), SERVER)
    await fillHistory(services, inventory, HISTORY_DAYS[config.database.kind], progress)
  }
  await hangPictures(services, [main, other])
  const file = join(config.dataDir, 'demo.env')
  const known = readEnv(file)
  const partner = await ensure(services, PARTNER_NAME, PARTNER_ROLES, [DEMO_SITE_UUID], {
    clientId: known.get('CLIENT_ID'),
    clientSecret: known.get('CLIENT_SECRET'),
  })
  const operator = await ensure(services, OPERATOR_NAME, ['Operator'], [], {
    clientId: known.get('OPERATOR_CLIENT_ID'),
    clientSecret: known.get('OPERATOR_CLIENT_SECRET'),
  })
  const gateway = await ensureGateway(
    services,
    { siteUuid: DEMO_SITE_UUID, gatewayUuid: DEMO_GATEWAY_UUID, name: GATEWAY_NAME },
    { mqttUsername: known.get('MQTT_USERNAME'), mqttPassword: known.get('MQTT_PASSWORD') },
  )
  // Nobody but the simulator uses the other site's account: it gets a new password at every start.
  const otherGateway = await ensureGateway(
    services,
    { siteUuid: other.site.siteUuid, gatewayUuid: OTHER_GATEWAY_UUID, name: GATEWAY_NAME },
    { mqttUsername: undefined, mqttPassword: undefined },
  )
  const deviceUrl = deviceAddress(config, mqttPort)
  const signOn = ({ mqttUsername, mqttPassword }: GatewayAccount): BrokerAddress =>
    config.mqttUrl === undefined
      ? { url: deviceUrl, username: mqttUsername, password: mqttPassword }
      : // The accounts of an outside broker are its own; the server's is the one that is known to work.
        brokerAddressOf(config.mqttUrl)
  const { addresses } = services
  writeEnv(file, {
    BASE_URL: addresses.baseUrl,
    BASE_URL_V1: addresses.baseUrlV1,
    AUTH_URL: addresses.authUrl,
    CLIENT_ID: partner.clientId,
    CLIENT_SECRET: partner.clientSecret,
    SITE_ID: DEMO_SITE_UUID,
    OPERATOR_URL: addresses.operatorUrl,
    OPERATOR_CLIENT_ID: operator.clientId,
    OPERATOR_CLIENT_SECRET: operator.clientSecret,
    DEVICE_MQTT_URL: deviceUrl,
    MQTT_USERNAME: gateway.mqttUsername,
    MQTT_PASSWORD: gateway.mqttPassword,
  })
  return {
    text: banner(addresses.publicUrl, file),
    gateways: [
      {
        inventory: main,
        gatewayUuid: DEMO_GATEWAY_UUID,
        since,
        address: signOn(gateway),
        troubles: troublesOf(main),
        lastOffline: await offlineUnits(services, main),
      },
      {
        inventory: other,
        gatewayUuid: OTHER_GATEWAY_UUID,
        since,
        address: signOn(otherGateway),
        troubles: new Map(),
        lastOffline: await offlineUnits(services, other),
      },
    ],
  }
}

/** A logo and an image of each house, where there is none. */
async function hangPictures({ images }: Services, inventories: readonly Inventory[]): Promise<void> {
  if (!(await images.logo())) await images.setLogo(demoLogo(), SERVER)
  for (const { site, buildings } of inventories) {
    for (const building of buildings) {
      if (await images.ofBuilding(site.siteUuid, building.buildingUuid)) continue
      await images.setOfBuilding(building.buildingUuid, demoBuildingImage(building), SERVER)
    }
  }
}

/** Who was last heard offline, so that the simulator can say that it is back. */
async function offlineUnits({ presences }: Services, { site }: Inventory): Promise<string[]> {
  const known = [...(await presences.list(site.siteUuid))]
  return known.flatMap(([unitUuid, { isOnline }]) => (isOnline ? [] : [unitUuid]))
}

/** The partner of this name with credentials that work: those of the file when it has them, else new ones. */
async function ensure(
  { partners }: Services,
  name: string,
  roles: readonly Role[],
  sites: string[],
  known: { clientId: string | undefined; clientSecret: string | undefined },
): Promise<Credentials> {
  const found = (await partners.list({ after: undefined, limit: 1000 })).find(
    (partner) => partner.name === name,
  )
  if (!found) {
    const { partner, secret } = await partners.add({ name, sites, roles }, SERVER)
    return { clientId: partner.clientId, clientSecret: secret.clientSecret }
  }
  if (found.clientId === known.clientId && known.clientSecret) {
    return { clientId: known.clientId, clientSecret: known.clientSecret }
  }
  const { secrets } = await partners.get(found.partnerUuid)
  for (const { secretId } of secrets) await partners.removeSecret(found.partnerUuid, secretId, SERVER)
  const { clientSecret } = await partners.addSecret(found.partnerUuid, undefined, SERVER)
  return { clientId: found.clientId, clientSecret }
}
