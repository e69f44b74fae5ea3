import type { Inventory } from '@portico/wire/operator/inventory'
import type { Schedule } from '@portico/server/domain/control/schedule/schedule'
import { SERVER } from '@portico/server/domain/identity/audit'
import { type Config, toDemoFile } from '@portico/server/config/config'
import { fromWireInventory } from '@portico/server/http/operator/inventory/convert'
import type { DemoContext, PreparedDemo } from '@portico/server/process/demo'
import { newUuid } from '@portico/server/kernel/ids'
import { createPrivateFolder } from '@portico/server/kernel/private-folder'
import { toShellWord } from '@portico/server/kernel/shell'
import type { Services } from '@portico/server/http/services'
import { type BrokerAddress, parseBrokerAddress } from '@portico/server/mqtt/brokers/address'
import { PARTNER_ROLES } from '@portico/server/domain/identity/partner/partner'
import { getSharedState } from '@portico/server/store/store'
import {
  DEMO_GATEWAY_UUID,
  DEMO_SITE_UUID,
  demoBuildingImage,
  demoInventories,
  demoLogo,
  OTHER_GATEWAY_UUID,
  findMisbehaving,
} from './content/index.ts'
import { readEnv, writeEnv } from './env-file.ts'
import { deviceAddress, ensureGateway, type GatewayAccount } from './gateways.ts'
import { fillHistory } from './history/fill.ts'
import { HistoryProcess } from './history/process.ts'
import { ensurePartner } from './partners.ts'
import { type UpcomingReadings, createUpcomingReadings } from './simulator/upcoming-readings.ts'
import type { DemoGateway } from './simulator/simulated-gateway.ts'

const IN_USE = 'This store already has data that is not the demo’s, so --demo was ignored.\n'
/**
 * Days of history that can be generated within seconds. PostgreSQL takes several times as long per reading as SQLite.
 */
const HISTORY_DAYS: Record<Config['database']['kind'], number> = { sqlite: 400, postgres: 92 }
const PARTNER_NAME = 'Demo partner'
const OPERATOR_NAME = 'Demo operator'
const GATEWAY_NAME = 'Demo gateway'

/** Creates the demo in an empty store, extends its history up to now and writes demo.env. */
export async function prepareDemo(context: DemoContext, early?: HistoryProcess): Promise<PreparedDemo> {
  const { config, mqttPort, services, store } = context
  if (!(await store.markAsDemo())) {
    await early?.end()
    return { text: IN_USE }
  }
  const { main, other } = demoInventories()
  const since = services.clock.now()
  for (const inventory of [main, other]) {
    // Only if it does not exist: an operator's changes must not be overwritten.
    const existing = await services.siteDirectory.find(inventory.site.siteUuid)
    if (!existing) await services.inventory.apply(fromWireInventory(inventory), SERVER)
  }
  await fillHistory(context, [main, other], HISTORY_DAYS[config.database.kind], early)
  await storeImages(services, [main, other])
  // On PostgreSQL, the store does not create the data folder.
  createPrivateFolder(config.dataDir)
  const file = toDemoFile(config)
  const stored = readEnv(file)
  const mayHaveOthers = getSharedState(store, config) !== undefined
  const partner = await ensurePartner(
    services,
    { name: PARTNER_NAME, roles: PARTNER_ROLES, sites: [DEMO_SITE_UUID] },
    { clientId: stored.get('CLIENT_ID'), clientSecret: stored.get('CLIENT_SECRET') },
    { mayHaveOthers },
  )
  const operator = await ensurePartner(
    services,
    { name: OPERATOR_NAME, roles: ['Operator'], sites: [] },
    { clientId: stored.get('OPERATOR_CLIENT_ID'), clientSecret: stored.get('OPERATOR_CLIENT_SECRET') },
    { mayHaveOthers },
  )
  const gateway = await ensureGateway(
    services,
    { siteUuid: DEMO_SITE_UUID, gatewayUuid: DEMO_GATEWAY_UUID, name: GATEWAY_NAME },
    { mqttUsername: stored.get('MQTT_USERNAME'), mqttPassword: stored.get('MQTT_PASSWORD') },
    { mayHaveOthers },
  )
  const deviceUrl = deviceAddress(config, mqttPort)
  const toBrokerAddress = ({ mqttUsername, mqttPassword }: GatewayAccount): BrokerAddress => ({
    url: deviceUrl,
    username: mqttUsername,
    password: mqttPassword,
  })
  // An external broker has its own accounts; the server's own account is the one that is known to work.
  const external = config.mqttUrl === undefined ? undefined : parseBrokerAddress(config.mqttUrl)
  // Only the simulator uses the other site's account: it gets a new password at every start.
  const newOtherAccount = (): Promise<GatewayAccount> =>
    ensureGateway(
      services,
      { siteUuid: other.site.siteUuid, gatewayUuid: OTHER_GATEWAY_UUID, name: GATEWAY_NAME },
      { mqttUsername: undefined, mqttPassword: undefined },
      { mayHaveOthers },
    )
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
    // The names that the SDKs and the documents use.
    PORTICO_BASE_URL: addresses.baseUrl,
    PORTICO_AUTH_URL: addresses.authUrl,
    PORTICO_CLIENT_ID: partner.clientId,
    PORTICO_CLIENT_SECRET: partner.clientSecret,
    PORTICO_SITE_ID: DEMO_SITE_UUID,
    PORTICO_OPERATOR_URL: addresses.operatorUrl,
    PORTICO_OPERATOR_CLIENT_ID: operator.clientId,
    PORTICO_OPERATOR_CLIENT_SECRET: operator.clientSecret,
  })
  await sendRejectedCommand(services, partner.clientId)
  const gateways: DemoGateway[] = [
    {
      inventory: main,
      gatewayUuid: DEMO_GATEWAY_UUID,
      since,
      address: external ?? toBrokerAddress(gateway),
      troubles: findMisbehaving(main),
      comingReadings: comingReadings(main),
      lastOffline: () => offlineUnits(services, main),
    },
    {
      inventory: other,
      gatewayUuid: OTHER_GATEWAY_UUID,
      since,
      address: external ?? toBrokerAddress(await newOtherAccount()),
      troubles: new Map(),
      comingReadings: comingReadings(other),
      lastOffline: () => offlineUnits(services, other),
    },
  ]
  return {
    text: banner(file),
    clientIds: { operator: operator.clientId, partner: partner.clientId },
    async startSimulator(simulations) {
      const { startSimulator } = await import('./simulator/simulator.ts')
      return startSimulator(gateways, services, simulations)
    },
  }
}

/** The first command to the device that rejects all of them, so that partners find one that was rejected. */
async function sendRejectedCommand(services: Services, clientId: string): Promise<void> {
  const { commands, siteDirectory, directory } = services
  const model = await siteDirectory.find(DEMO_SITE_UUID)
  const found = await directory.find(clientId)
  for (const [deviceUuid, trouble] of findMisbehaving(demoInventories().main)) {
    const device = model?.devices.get(deviceUuid)
    if (trouble !== 'rejects' || !model || !device || !found) continue
    const sent = await commands.list(DEMO_SITE_UUID, deviceUuid, { before: undefined, limit: 1 })
    if (sent.length > 0) continue
    const schedule: Schedule = { type: 'boost', durationMinutes: 60 }
    await commands.send(model, device, schedule, {
      partner: found,
      traceId: newUuid(),
      key: undefined,
    })
  }
}

const comingReadings = ({ site }: Inventory): UpcomingReadings =>
  createUpcomingReadings((span) =>
    new HistoryProcess().use((history) => history.call('readings', site.siteUuid, span)),
  )

/** Stores a logo and an image of each house, unless there is one. */
async function storeImages({ images }: Services, inventories: readonly Inventory[]): Promise<void> {
  if (!(await images.logo())) await images.setLogo(demoLogo(), SERVER)
  for (const { site, buildings } of inventories) {
    for (const building of buildings) {
      if (await images.ofBuilding(site.siteUuid, building.buildingUuid)) continue
      await images.setOfBuilding(building.buildingUuid, demoBuildingImage(building), SERVER)
    }
  }
}

/** Devices and gateways last seen offline, so that the simulator can report that they are back. */
async function offlineUnits({ presences }: Services, { site }: Inventory): Promise<string[]> {
  const listed = [...(await presences.list(site.siteUuid))]
  return listed.flatMap(([unitUuid, { isOnline }]) => (isOnline ? [] : [unitUuid]))
}

/** Text to copy from, printed when the demo has started. */
const banner = (file: string): string => `
The demo’s credentials are in ${file}. To see building data, paste:

  set -a; . ${toShellWord(file)}; set +a
  TOKEN=$(curl -s "$PORTICO_AUTH_URL/oauth2/v2.0/token" -d grant_type=client_credentials \\
    -d client_id=$PORTICO_CLIENT_ID -d client_secret=$PORTICO_CLIENT_SECRET \\
    -d scope=api://$PORTICO_CLIENT_ID/.default | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  curl -H "Authorization: Bearer $TOKEN" -H "SiteId: $PORTICO_SITE_ID" "$PORTICO_BASE_URL/spaces?limit=3"

`
