import { READING_FIELDS, ReadingsEnvelope } from '@portico/wire/mqtt/messages'
import { Compile } from 'typebox/compile'
import { isRejection, validateReading, resolveTarget } from '../../domain/telemetry/ingest/validate.ts'
import type { SiteDirectory } from '../../domain/estate/inventory/site-directory.ts'
import type { Device, SiteModel } from '../../domain/estate/inventory/site-model.ts'
import type { InventoryStore } from '../../domain/estate/inventory/store.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { IngestCounter } from '../../domain/telemetry/ingest/import-counts.ts'
import type { Rejection } from '../../domain/telemetry/reading/validate.ts'
import type { HandlerResult } from '../message-lanes.ts'
import type { Topic } from '../topics.ts'
import type { ReadingBatches, ReadingToStore } from './reading-batches.ts'

const envelope = Compile(ReadingsEnvelope)
const NOT_JSON = { code: 'not-json', message: 'The payload is not JSON.' }
const BAD_MESSAGE = {
  code: 'bad-message',
  message: 'The payload must be {"readings":[…]} without other fields.',
}
const BAD_RECORD = { code: 'malformed', message: 'A reading must be a JSON object.' }
const UNKNOWN_FIELD = {
  code: 'unknown-field',
  message: 'A reading may have only metricType, timestamp and value.',
}
const WRONG_SITE = { code: 'wrong-site', message: 'The device does not belong to the site in the topic.' }
const UNKNOWN_DEVICE = { code: 'unknown-device', message: 'The device does not exist.' }
const RETAINED_COPY = {
  code: 'retained-copy',
  message: 'A retained copy of readings that were already received.',
}
/** Rejected records that a message lists by position. */
const MAX_NAMED = 20

export interface ReadingsPayload {
  payload: Uint8Array
  /** The DUP flag: the sender repeats a message that was not acknowledged. */
  isDuplicate: boolean
  /** A retained message from before the subscription, not one just published. */
  isRetainedCopy: boolean
}

export interface ReadingsDeps {
  siteDirectory: SiteDirectory
  inventory: Pick<InventoryStore, 'findSiteOfDevice'>
  batches: ReadingBatches
  counter: Pick<IngestCounter, 'rejected'>
  clock: Clock
  rawRetentionMs: number | undefined
}

/** Handles `…/readings`: records are validated one by one, and the valid ones are stored. */
export function handleReadings(
  deps: ReadingsDeps,
): (topic: Topic, message: ReadingsPayload) => Promise<HandlerResult> {
  const { siteDirectory, inventory, batches, counter, clock, rawRetentionMs } = deps
  return async ({ siteUuid, senderUuid }, message) => {
    const records = readRecords(message.payload)
    if (isRejection(records)) return { rejection: records }
    const model = await siteDirectory.find(siteUuid)
    const device = model?.devices.get(senderUuid)
    if (!model || !device) {
      const isElsewhere = (await inventory.findSiteOfDevice(senderUuid)) !== undefined
      const rejection = isElsewhere ? WRONG_SITE : UNKNOWN_DEVICE
      counter.rejected(rejection.code, records.length)
      return { rejection }
    }
    const { valid, rejected } = validateRecords(records, (record) =>
      validateRecord(model, device, record, clock.now(), rawRetentionMs),
    )
    for (const { code } of rejected) counter.rejected(code)
    const { isDuplicate, isRetainedCopy } = message
    const stored =
      valid.length === 0
        ? undefined
        : batches.add(siteUuid, valid, {
            onConflict: isDuplicate || isRetainedCopy ? 'keep' : 'replace',
            isExclusive: isRetainedCopy,
          })
    return {
      ...(rejected.length > 0 && { rejection: summarise(rejected, records.length) }),
      isPartial: valid.length > 0,
      stored: stored?.then((added) =>
        isRetainedCopy && added.accepted === 0 && rejected.length === 0
          ? { rejection: RETAINED_COPY, isPartial: true }
          : undefined,
      ),
    }
  }
}

function readRecords(payload: Uint8Array): unknown[] | Rejection {
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    return NOT_JSON
  }
  return envelope.Check(parsed) ? parsed.readings : BAD_MESSAGE
}

interface RejectedRecord extends Rejection {
  /** Position in the message, from 1. */
  position: number
}

function validateRecords(
  records: readonly unknown[],
  validate: (record: unknown) => ReadingToStore | Rejection,
): { valid: ReadingToStore[]; rejected: RejectedRecord[] } {
  const valid: ReadingToStore[] = []
  const rejected: RejectedRecord[] = []
  for (const [index, record] of records.entries()) {
    const result = validate(record)
    if (isRejection(result)) rejected.push({ ...result, position: index + 1 })
    else valid.push(result)
  }
  return { valid, rejected }
}

function validateRecord(
  model: SiteModel,
  device: Device,
  record: unknown,
  now: number,
  retentionMs: number | undefined,
): ReadingToStore | Rejection {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return BAD_RECORD
  if (Object.keys(record).some((name) => !READING_FIELDS.includes(name))) return UNKNOWN_FIELD
  const { metricType, timestamp, value }: Record<string, unknown> = { ...record }
  const target = resolveTarget(model, device, metricType)
  if (isRejection(target)) return target
  const result = validateReading(target, timestamp, value, now, retentionMs)
  return isRejection(result) ? result : { seriesId: target.seriesId, ...result }
}

function summarise(rejected: readonly RejectedRecord[], count: number): Rejection {
  const [first] = rejected
  const positions = rejected.slice(0, MAX_NAMED).map(({ position }) => position)
  const named = `${positions.join(', ')}${rejected.length > MAX_NAMED ? ', …' : ''}`
  return {
    code: first?.code ?? 'bad-message',
    message: `${rejected.length} of ${count} readings rejected (${named}): ${first?.message ?? ''}`,
  }
}
