import type { Route } from '../pipeline/route.ts'
import { addWebhook } from './webhooks/add.ts'
import { addWebhookSecret } from './webhooks/add-secret.ts'
import { changeWebhook } from './webhooks/change.ts'
import { getDelivery, listDeliveries } from './webhooks/deliveries.ts'
import { enableWebhook } from './webhooks/enable.ts'
import { getWebhook } from './webhooks/get.ts'
import { listWebhooks } from './webhooks/list.ts'
import { removeWebhook } from './webhooks/remove.ts'
import { replayEvents } from './webhooks/replay.ts'
import { testWebhook } from './webhooks/test.ts'
import { getAccount } from './account/get.ts'
import { listSpacesDaily, listSpacesHourly } from './aggregate/aggregate.ts'
import { listDevicesDaily, listDevicesHourly } from './aggregate/consumption.ts'
import { cancelCommand } from './commands/cancel.ts'
import { getCommand } from './commands/get.ts'
import { listCommands } from './commands/list.ts'
import { getSchedule } from './commands/schedule.ts'
import { sendSchedule } from './commands/send.ts'
import { getDeviceConsumption } from './devices/consumption.ts'
import { getDevice } from './devices/get.ts'
import { listDevices } from './devices/list.ts'
import { listPlacements } from './devices/placements.ts'
import { listDeviceRejections } from './devices/rejected.ts'
import { getEvent } from './events/get.ts'
import { listEvents } from './events/list.ts'
import { streamEvents } from './events/stream.ts'
import { listEventTypes } from './events/types.ts'
import { exportReadings } from './export/readings.ts'
import { exportWindows } from './export/windows.ts'
import { listLatest } from './latest/list.ts'
import { listMetricTypes } from './metric-types/list.ts'
import { listIdMap } from './migration/id-map.ts'
import { listOwnV1Usage } from './migration/usage.ts'
import { simulateDevice } from './sandbox/simulate.ts'
import { listSites } from './sites/list.ts'
import { getSpaceDaily, getSpaceHourly } from './spaces/aggregate.ts'
import { listSpaces } from './spaces/list.ts'
import { getSpaceOverview } from './spaces/overview.ts'

/** Every route of version 2, in the order of the API description. */
export const V2_ROUTES: readonly Route[] = [
  getAccount,
  listSites,
  listMetricTypes,
  listIdMap,
  listOwnV1Usage,
  listSpaces,
  getSpaceOverview,
  getSpaceHourly,
  getSpaceDaily,
  listDevices,
  getDevice,
  getDeviceConsumption,
  listPlacements,
  listDeviceRejections,
  listSpacesHourly,
  listSpacesDaily,
  listDevicesHourly,
  listDevicesDaily,
  listLatest,
  exportReadings,
  exportWindows,
  listCommands,
  getCommand,
  getSchedule,
  sendSchedule,
  cancelCommand,
  listEventTypes,
  listEvents,
  streamEvents,
  getEvent,
  simulateDevice,
  listWebhooks,
  addWebhook,
  getWebhook,
  changeWebhook,
  removeWebhook,
  enableWebhook,
  testWebhook,
  addWebhookSecret,
  listDeliveries,
  getDelivery,
  replayEvents,
]
