import type { Config } from '@portico/server/config/config'
import {
  COMMAND_LINE,
  describeSiteDevices,
  findOperator,
  FORMATS,
  fromWireInventory,
  fromWireLifecycle,
  openOperator,
  readSiteEvents,
  toImportEntry,
  toWireAddedGateway,
  toWireAddedPartner,
  toWireAddedSecret,
  toWireEntry,
  toWireGateway,
  toWireKey,
  toWireLink,
  toWireInventory,
  toWireLifecycle,
  toWireOperatorCommand,
  toWireOperatorWebhook,
  toWirePartner,
  toWirePlan,
  toWireRejected,
  toWireSecret,
  toWireSession,
  toWireSite,
  toWireV1Caller,
} from '@portico/server/operator/operator'
import { Interrupted } from '../import/source.ts'
import type { EventPage, OperatorClient } from './operator-client.ts'

const ALL = 1_000_000

/** Works on the store itself; a running server sees the changes within seconds. */
export async function openLocalClient(config: Config, options: { create: boolean }): Promise<OperatorClient> {
  const operator = await openOperator(config, options)
  const { store, partners, gateways, inventory, lifecycle, keys, sessions, webhooks } = operator
  const page = { after: undefined, limit: ALL }
  return {
    listSites: async () => (await store.sites.listAll(page)).map(toWireSite),
    listDevices: (siteUuid) => describeSiteDevices(operator, siteUuid),
    async listCommands(siteUuid, { deviceUuid, limit }) {
      await operator.requireSite(siteUuid)
      const commands = await store.commands.list(siteUuid, deviceUuid, { before: undefined, limit })
      return commands.map(toWireOperatorCommand)
    },
    readEvents: async (siteUuid, query) =>
      JSON.parse(await readSiteEvents(operator, siteUuid, query)) as EventPage,

    planInventory: async (document) =>
      toWirePlan(await inventory.plan(fromWireInventory(document), COMMAND_LINE)),
    applyInventory: (document) => inventory.apply(fromWireInventory(document), COMMAND_LINE),
    exportInventory: async (siteUuid) => toWireInventory(await inventory.export(siteUuid)),

    async importReadings(mediaType, source, progress) {
      const intake = operator.createReadingImport(progress)
      try {
        const isInterrupted = await isEndedEarly(FORMATS[mediaType]?.(source, intake))
        return { ...(await intake.finish()), isInterrupted }
      } catch (error) {
        // The failure of the import is reported, not that of counting.
        await intake.countStored().catch(() => {})
        throw error
      }
    },
    async *exportRows(kind, siteUuid, query) {
      // Loads the schemas of the API, which no other command needs.
      const { exportRows } = await import('@portico/server/operator/export')
      yield* exportRows(config, operator, { kind, siteUuid, query })
    },
    recordImport: (imported) => store.audit.add(toImportEntry(imported, COMMAND_LINE, operator.clock.now())),

    async listGateways(siteUuid) {
      await operator.requireSite(siteUuid)
      return (await gateways.list(siteUuid)).map(toWireGateway)
    },
    async addGateway(siteUuid, name) {
      const addresses = await store.serverAddresses()
      return toWireAddedGateway(await gateways.add(siteUuid, { name }, COMMAND_LINE), addresses?.mqttUrl)
    },
    removeGateway: (siteUuid, gatewayUuid) => gateways.remove(siteUuid, gatewayUuid, COMMAND_LINE),

    listPartners: async () => (await partners.list(page)).map(toWirePartner),
    async getPartner(partnerUuid) {
      const { partner, secrets } = await partners.get(partnerUuid)
      return { ...toWirePartner(partner), secrets: secrets.map(toWireSecret) }
    },
    addPartner: async (partner) =>
      toWireAddedPartner(await partners.add(partner, COMMAND_LINE), operator.addresses),
    changePartner: async (partnerUuid, changes) =>
      toWirePartner(await partners.change(partnerUuid, changes, COMMAND_LINE)),
    addSecret: async (partnerUuid, days) =>
      toWireAddedSecret(await partners.addSecret(partnerUuid, days, COMMAND_LINE)),
    removeSecret: (partnerUuid, secretId) => partners.removeSecret(partnerUuid, secretId, COMMAND_LINE),

    listKeys: async () => (await keys.list()).map(toWireKey),
    listWebhooks: async () => (await webhooks.listAll()).map(toWireOperatorWebhook),
    setWebhookState: async (webhookUuid, state) =>
      toWireOperatorWebhook(await webhooks.setState(webhookUuid, state, COMMAND_LINE)),

    async addConsoleLink(given) {
      const partnerUuid = given ?? (await findOperator(operator))
      const code = await sessions.addCode(partnerUuid, COMMAND_LINE)
      return toWireLink(code, partnerUuid, operator.addresses.publicUrl)
    },
    listSessions: async () =>
      (await sessions.list(operator.clock.now(), { before: undefined, limit: ALL })).map(toWireSession),
    endSession: (sessionId) => sessions.end(sessionId, COMMAND_LINE),

    rotateKeys: (options) => keys.rotate(options, COMMAND_LINE),
    listRejected: async (limit, filter) =>
      (await store.rejected.list({ ...filter, before: undefined, limit })).map(toWireRejected),
    listAudit: async (limit, filter) =>
      (await store.audit.list({ ...filter, before: undefined, limit })).map(toWireEntry),
    listV1Callers: async () => (await store.v1Usage.list(page)).map(toWireV1Caller),
    changeLifecycle: async (changes) =>
      toWireLifecycle(await lifecycle.change(fromWireLifecycle(changes), COMMAND_LINE)),
    [Symbol.asyncDispose]: () => operator[Symbol.asyncDispose](),
  }
}

/** Whether the user has interrupted the import. */
async function isEndedEarly(reading: Promise<void> | undefined): Promise<boolean> {
  try {
    await reading
    return false
  } catch (error) {
    if (error instanceof Interrupted) return true
    throw error
  }
}
