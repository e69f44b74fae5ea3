import type { Route } from '../pipeline/route.ts'
import { listAudit } from './audit.ts'
import { exportReadingsOfSite } from './export/readings.ts'
import { exportWindowsOfSite } from './export/windows.ts'
import { addGateway, listGateways, removeGateway } from './gateways/routes.ts'
import { setBuildingImage, setLogo } from './images.ts'
import { applyInventory, exportInventory } from './inventory/routes.ts'
import { listAllCommands } from './commands.ts'
import { getHealth } from './health/route.ts'
import { listKeys, rotateKeys } from './keys.ts'
import { changeLifecycle, listLifecycle } from './lifecycle/routes.ts'
import { listV1Days } from './migration/days.ts'
import { listV1Callers } from './migration/list.ts'
import { addPartner, listPartners, getPartner, changePartner } from './partners/routes.ts'
import { addReadings } from './readings.ts'
import { recordImport } from './readings-imports.ts'
import { listRejected } from './rejected.ts'
import { addConsoleLink, endSession, listSessions } from './sessions/routes.ts'
import { listCommandsOfSite } from './sites/commands.ts'
import { listDevicesOfSite } from './sites/devices.ts'
import { listEventsOfSite } from './sites/events.ts'
import { listAllSites } from './sites/list.ts'
import { addSecret, removeSecret } from './partners/secrets.ts'
import { changeWebhookState, listAllWebhooks } from './webhooks/routes.ts'

/** Every route of the operator API, in the order of its description. */
export const OPERATOR_ROUTES: readonly Route[] = [
  getHealth,
  applyInventory,
  exportInventory,
  listAllSites,
  listDevicesOfSite,
  listCommandsOfSite,
  listAllCommands,
  listEventsOfSite,
  listGateways,
  addGateway,
  removeGateway,
  addReadings,
  recordImport,
  exportReadingsOfSite,
  exportWindowsOfSite,
  listRejected,
  listPartners,
  addPartner,
  getPartner,
  changePartner,
  addSecret,
  removeSecret,
  listKeys,
  rotateKeys,
  listV1Callers,
  listV1Days,
  listLifecycle,
  changeLifecycle,
  setLogo,
  setBuildingImage,
  listAllWebhooks,
  changeWebhookState,
  listSessions,
  endSession,
  addConsoleLink,
  listAudit,
]
