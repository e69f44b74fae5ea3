import { READING_FIELDS, ReadingsEnvelope } from '@portico/wire/mqtt/readings'
import { Compile } from 'typebox/compile'
import { isRejection, validateReading, resolveTarget } from '../../domain/telemetry/ingest/validate.ts'
import type { SiteDirectory } from '../../domain/estate/inventory/site-directory.ts'
import type { Device, SiteModel } from '../../domain/estate/inventory/site-model.ts'
import type { InventoryStore } from '../../domain/estate/inventory/store.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Rejection } from '../../domain/telemetry/reading/validate.ts'
import type { MqttMessage } from '../brokers/broker.ts'
import type { Handler } from '../message-router.ts'
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

/** Handles `…/readings`: records are validated one by one, and the valid ones are stored. */
export function handleReadings(deps: {
  siteDirectory: SiteDirectory
  inventory: Pick<InventoryStore, 'findSiteOfDevice'>
  batches: ReadingBatches
  clock: Clock
  rawRetentionMs: number | undefined
}): Handler {
  const { siteDirectory, inventory, batches, clock, rawRetentionMs } = deps
  return async ({ siteUuid, senderUuid }, message) => {
    const records = readRecords(message.payload)
    if (isRejection(records)) return { refusal: records }
    const model = await siteDirectory.find(siteUuid)
    const device = model?.devices.get(senderUuid)
    if (!model || !device) {
      const isElsewhere = (await inventory.findSiteOfDevice(senderUuid)) !== undefined
      return { refusal: isElsewhere ? WRONG_SITE : UNKNOWN_DEVICE }
    }
    const { good, refused } = judgeRecords(records, (record) =>
      judgeRecord(model, device, record, clock.now(), rawRetentionMs),
    )
    const { isDuplicate, isRetainedCopy } = message
    const stored =
      good.length === 0
        ? undefined
        : batches.add(siteUuid, good, {
            arrival: isDuplicate || isRetainedCopy ? 'repeated' : 'new',
            isExclusive: isRetainedCopy,
          })
    return {
      ...(refused.length > 0 && { refusal: summarise(refused, records.length) }),
      isPartial: good.length > 0,
      stored: stored?.then((added) =>
        isRetainedCopy && added.accepted === 0 && refused.length === 0 ? RETAINED_COPY : undefined,
      ),
    }
  }
}

function readRecords(payload: MqttMessage['payload']): unknown[] | Rejection {
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    return NOT_JSON
  }
  return envelope.Check(parsed) ? parsed.readings : BAD_MESSAGE
}

interface RefusedRecord extends Rejection {
  /** Position in the message, from 1. */
  place: number
}

function judgeRecords(
  records: readonly unknown[],
  judge: (record: unknown) => ReadingToStore | Rejection,
): { good: ReadingToStore[]; refused: RefusedRecord[] } {
  const good: ReadingToStore[] = []
  const refused: RefusedRecord[] = []
  for (const [index, record] of records.entries()) {
    const judged = judge(record)
    if (isRejection(judged)) refused.push({ ...judged, place: index + 1 })
    else good.push(judged)
  }
  return { good, refused }
}

function judgeRecord(
  model: SiteModel,
  device: Device,
  record: unknown,
  now: number,
  retentionMs: number | undefined,
): ReadingToStore | Rejection {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return BAD_RECORD
  if (Object.keys(record).some((name) => !READING_FIELDS.includes(name))) return UNKNOWN_FIELD
  const { metricType, timestamp, value }: Record<string, unknown> = { ...record }
  const place = resolveTarget(model, device, metricType)
  if (isRejection(place)) return place
  const judged = validateReading(place, timestamp, value, now, retentionMs)
  return isRejection(judged) ? judged : { seriesId: place.seriesId, ...judged }
}

function summarise(refused: readonly RefusedRecord[], count: number): Rejection {
  const [first] = refused
  const places = refused.slice(0, MAX_NAMED).map(({ place }) => place)
  const named = `${places.join(', ')}${refused.length > MAX_NAMED ? ', …' : ''}`
  return {
    code: first?.code ?? 'bad-message',
    message: `${refused.length} of ${count} readings rejected (${named}): ${first?.message ?? ''}`,
  }
}
