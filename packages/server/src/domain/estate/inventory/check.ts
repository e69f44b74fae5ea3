import type { FieldError, FieldErrorCode } from '../../../kernel/errors.ts'
import { parseZoneName } from '../../../calendar/zone.ts'
import { getCellKind, type MeasuredMetric } from '../../metric/catalogue.ts'
import type { Bounds, InventoryDevice, InventoryDocument, MetricSpec } from './inventory.ts'

/** Further errors are not collected: a large document can have several in each of its records. */
const MAX_ERRORS = 100

/** Rules that a JSON schema cannot express: references, uniqueness and fields that depend on each other. */
export function checkInventory(document: InventoryDocument, now: number): FieldError[] {
  const errors: FieldError[] = []
  const report: Report = (field, code, message) => {
    if (errors.length < MAX_ERRORS) errors.push({ field, code, message })
  }

  checkSite(document, report)
  checkUnique(document, report)
  checkReferences(document, report)
  checkClusters(document, report)
  checkSubmeters(document, report)
  document.devices.forEach((device, index) => checkDevice(device, `devices.${index}`, now, report))
  return errors
}

type Report = (field: string, code: FieldErrorCode, message: string) => void

const isOrdered = (bounds: Bounds | undefined): boolean => bounds === undefined || bounds.min < bounds.max

function checkSite({ site }: InventoryDocument, report: Report): void {
  if (parseZoneName(site.timeZone) !== site.timeZone) {
    report('site.timeZone', 'unknown-zone', 'must be a time zone of the IANA database, such as Europe/London')
  }
  for (const [kind, bounds] of Object.entries(site.policy))
    if (!isOrdered(bounds)) report(`site.policy.${kind}`, 'out-of-range', 'must have min below max')
}

function checkUnique(document: InventoryDocument, report: Report): void {
  const seen = new Set([document.site.siteUuid])
  const checkOnce = (uuid: string, field: string): void => {
    if (seen.has(uuid)) report(field, 'repeated', 'is used more than once in the document')
    seen.add(uuid)
  }
  document.buildings.forEach(({ buildingUuid }, index) =>
    checkOnce(buildingUuid, `buildings.${index}.buildingUuid`),
  )
  document.spaces.forEach(({ spaceUuid }, index) => checkOnce(spaceUuid, `spaces.${index}.spaceUuid`))
  document.devices.forEach(({ deviceUuid }, index) => checkOnce(deviceUuid, `devices.${index}.deviceUuid`))
  for (const list of ['buildings', 'spaces'] as const) {
    const ids = new Set<number>()
    document[list].forEach(({ legacyId }, index) => {
      if (legacyId === null) return
      if (ids.has(legacyId))
        report(`${list}.${index}.legacyId`, 'repeated', 'is used more than once in the document')
      ids.add(legacyId)
    })
  }
}

function checkReferences({ buildings, spaces, devices }: InventoryDocument, report: Report): void {
  const buildingUuids = new Set(buildings.map(({ buildingUuid }) => buildingUuid))
  const spaceUuids = new Set(spaces.map(({ spaceUuid }) => spaceUuid))
  spaces.forEach(({ buildingUuid }, index) => {
    if (!buildingUuids.has(buildingUuid)) {
      report(`spaces.${index}.buildingUuid`, 'unknown-building', 'is not among the buildings of the document')
    }
  })
  devices.forEach(({ spaceUuid }, index) => {
    if (!spaceUuids.has(spaceUuid)) {
      report(`devices.${index}.spaceUuid`, 'unknown-space', 'is not among the spaces of the document')
    }
  })
}

function checkClusters({ spaces }: InventoryDocument, report: Report): void {
  const clusters = new Map<string, { buildingUuid: string; clusterName: string | null }>()
  spaces.forEach(({ clusterUuid, clusterName, buildingUuid }, index) => {
    if (clusterUuid === null) {
      if (clusterName !== null)
        report(`spaces.${index}.clusterName`, 'without-cluster', 'needs a clusterUuid')
      return
    }
    const cluster = clusters.get(clusterUuid)
    if (!cluster) clusters.set(clusterUuid, { buildingUuid, clusterName })
    else if (cluster.buildingUuid !== buildingUuid) {
      report(`spaces.${index}.clusterUuid`, 'two-buildings', 'is a cluster of another building')
    } else if (cluster.clusterName !== clusterName) {
      report(`spaces.${index}.clusterName`, 'two-names', 'differs from that of another space of the cluster')
    }
  })
}

/** Longest chain of meters, each a sub-meter of the next: every device is compared with all meters above it. */
const MAX_METERS_ABOVE = 10

function checkSubmeters({ devices }: InventoryDocument, report: Report): void {
  const parents = new Map(devices.map(({ deviceUuid, submeterOf }) => [deviceUuid, submeterOf]))
  /** The number of meters above each device; infinite in a cycle and below one. */
  const metersAbove = new Map<string, number>()
  const inCycle = new Set<string>()
  for (const { deviceUuid } of devices) {
    const path: string[] = []
    let next: string | undefined = deviceUuid
    while (next !== undefined && !metersAbove.has(next)) {
      metersAbove.set(next, Number.POSITIVE_INFINITY)
      path.push(next)
      next = parents.get(next)
    }
    // The path ends in a cycle.
    const start = next === undefined ? -1 : path.indexOf(next)
    if (start >= 0) for (const uuid of path.slice(start)) inCycle.add(uuid)
    let above = next === undefined ? -1 : (metersAbove.get(next) ?? Number.POSITIVE_INFINITY)
    for (const uuid of path.toReversed()) metersAbove.set(uuid, (above += 1))
  }
  devices.forEach(({ deviceUuid, submeterOf }, index) => {
    if (submeterOf === undefined) return
    const field = `devices.${index}.submeterOf`
    const above = metersAbove.get(deviceUuid) ?? 0
    if (!parents.has(submeterOf)) report(field, 'unknown-device', 'is not among the devices of the document')
    else if (inCycle.has(deviceUuid)) report(field, 'cycle', 'must not lead back to the device itself')
    else if (Number.isFinite(above) && above > MAX_METERS_ABOVE)
      report(field, 'too-deep', `must have at most ${MAX_METERS_ABOVE} meters above it`)
  })
}

function checkDevice(device: InventoryDevice, field: string, now: number, report: Report): void {
  if (device.since !== null && device.since > now)
    report(`${field}.since`, 'out-of-range', 'must not be in the future')
  for (const [metric, spec] of Object.entries(device.metrics)) {
    checkMetric(metric as MeasuredMetric, spec, `${field}.metrics.${metric}`, report)
  }
  if (!isOrdered(device.capabilities.setpoint)) {
    report(`${field}.capabilities.setpoint`, 'out-of-range', 'must have min below max')
  }
}

function checkMetric(metric: MeasuredMetric, spec: MetricSpec, field: string, report: Report): void {
  const isMeter = getCellKind(metric) === 'meter'
  if (isMeter === (spec.kind === 'gauge')) {
    report(`${field}.kind`, 'not-allowed', isMeter ? 'must be register or delta' : 'must be gauge')
  }
  if (spec.registerSize !== null && spec.kind !== 'register') {
    report(`${field}.registerSize`, 'not-allowed', 'is for kind register only')
  }
  if (spec.maxPerHour !== null && spec.kind === 'gauge') {
    report(`${field}.maxPerHour`, 'not-allowed', 'is for kind register or delta only')
  }
  for (const name of ['maxGapMinutes', 'of'] as const)
    if (spec[name] !== undefined && spec.kind !== 'gauge')
      report(`${field}.${name}`, 'not-allowed', 'is for kind gauge only')
  for (const name of ['stamp', 'stepMinutes'] as const)
    if (spec[name] !== undefined && spec.kind !== 'delta')
      report(`${field}.${name}`, 'not-allowed', 'is for kind delta only')
}
