import type { Route } from '../pipeline/route.ts'
import { listAudit } from './audit/list.ts'
import { addGateway, listGateways, removeGateway } from './gateways/routes.ts'
import { setBuildingImage } from './images/set-building-image.ts'
import { setLogo } from './images/set-logo.ts'
import { applyInventory } from './inventory/apply.ts'
import { exportInventory } from './inventory/export.ts'
import { rotateKeys } from './keys/rotate.ts'
import { changeLifecycle } from './lifecycle/change.ts'
import { listLifecycle } from './lifecycle/list.ts'
import { listV1Callers } from './migration/list.ts'
import { addPartner } from './partners/add.ts'
import { changePartner } from './partners/change.ts'
import { getPartner } from './partners/get.ts'
import { listPartners } from './partners/list.ts'
import { addReadings } from './readings/add.ts'
import { listRejected } from './rejected/list.ts'
import { addSecret } from './secrets/add.ts'
import { removeSecret } from './secrets/remove.ts'

/** Every route of the operator API, in the order of its description. */
export const OPERATOR_ROUTES: readonly Route[] = [
  applyInventory,
  exportInventory,
  listGateways,
  addGateway,
  removeGateway,
  addReadings,
  listRejected,
  listPartners,
  addPartner,
  getPartner,
  changePartner,
  addSecret,
  removeSecret,
  rotateKeys,
  listV1Callers,
  listLifecycle,
  changeLifecycle,
  setLogo,
  setBuildingImage,
  listAudit,
]
