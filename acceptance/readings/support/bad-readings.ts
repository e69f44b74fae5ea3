/** An invalid record and the code of its rejection. */
export interface Bad {
  text: string
  code: string
}

const good = { metricType: 'electricity', timestamp: '2026-01-05T20:00:00Z', value: 1 }
const depth = 5_000
const deep = '['.repeat(depth) + ']'.repeat(depth)
const long = 70 * 1024

/** Records that a meter's register cannot have sent, as JSON or almost JSON. */
export function badRecords(deviceUuid: string): Bad[] {
  const record = { deviceUuid, ...good }
  /** The record with a value that JSON.stringify cannot produce. */
  const valued = (value: string): string => JSON.stringify(record).replace('"value":1', `"value":${value}`)
  const changed = (fields: object): string => JSON.stringify({ ...record, ...fields })
  const list: [text: string, code: string][] = [
    [valued('NaN'), 'malformed'],
    [valued('Infinity'), 'malformed'],
    [valued('01'), 'malformed'],
    [valued('1e308'), 'out-of-range'],
    [valued('1000000000001'), 'out-of-range'],
    [valued('-1000000000001'), 'out-of-range'],
    [valued('1e400'), 'not-a-number'],
    [valued('-0.001'), 'negative-register'],
    [changed({ value: null }), 'not-a-number'],
    [changed({ value: '1' }), 'not-a-number'],
    [changed({ value: true }), 'not-a-number'],
    [changed({ value: [1] }), 'not-a-number'],
    [changed({ value: { a: [1, { b: 2 }] } }), 'not-a-number'],
    [valued(deep), 'not-a-number'],
    [changed({ value: undefined }), 'not-a-number'],
    [changed({ timestamp: undefined }), 'bad-timestamp'],
    [changed({ metricType: undefined }), 'metric-not-declared'],
    [changed({ deviceUuid: undefined }), 'unknown-device'],
    [changed({ deviceUuid: { x: 1 } }), 'unknown-device'],
    [changed({ metricType: 7 }), 'metric-not-declared'],
    [changed({ metricType: 'Electricity' }), 'metric-not-declared'],
    [changed({ timestamp: '2099-01-01T00:00:00Z' }), 'in-the-future'],
    [changed({ timestamp: 1_767_571_200_000 }), 'bad-timestamp'],
    [changed({ timestamp: '2026-01-05' }), 'bad-timestamp'],
    [changed({ timestamp: '2026-01-05T20:00:00' }), 'bad-timestamp'],
    [changed({ timestamp: '2026-02-29T20:00:00Z' }), 'bad-timestamp'],
    [changed({ timestamp: '2026-01-05T24:01:00Z' }), 'bad-timestamp'],
    [changed({ timestamp: '' }), 'bad-timestamp'],
    [changed({ quality: 'good' }), 'unknown-field'],
    [`{"__proto__":{},${JSON.stringify(record).slice(1)}`, 'unknown-field'],
    ['{}', 'unknown-device'],
    [JSON.stringify(Object.values(record)), 'malformed'],
    [JSON.stringify([record]), 'malformed'],
    ['[]', 'malformed'],
    [deep, 'malformed'],
    ['null', 'malformed'],
    ['5', 'malformed'],
    ['"x"', 'malformed'],
    ['true', 'malformed'],
    [`${JSON.stringify(record)} x`, 'malformed'],
    [valued(`1${' '.repeat(long)}`), 'too-long'],
    [changed({ deviceUuid: 'x'.repeat(long) }), 'too-long'],
  ]
  return list.map(([text, code]) => ({ text, code }))
}

/** Records with lists as fields, whose string conversion would be valid. */
export function badLists(deviceUuid: string): Bad[] {
  const record = { deviceUuid, ...good }
  return [
    { text: JSON.stringify({ ...record, deviceUuid: [deviceUuid] }), code: 'unknown-device' },
    { text: JSON.stringify({ ...record, metricType: [good.metricType] }), code: 'metric-not-declared' },
    { text: JSON.stringify({ ...record, timestamp: [good.timestamp] }), code: 'bad-timestamp' },
    { text: JSON.stringify({ ...record, value: [good.value] }), code: 'not-a-number' },
  ]
}

/** Values that the column `value` of a register must not have. */
export const badCells: [value: string, code: string][] = [
  ['NaN', 'not-a-number'],
  ['Infinity', 'not-a-number'],
  ['', 'not-a-number'],
  ['five', 'not-a-number'],
  ['0x10', 'not-a-number'],
  ['1_000', 'not-a-number'],
  ['1 000', 'not-a-number'],
  ['null', 'not-a-number'],
  ['1e308', 'out-of-range'],
  ['1e400', 'not-a-number'],
  ['1000000000001', 'out-of-range'],
  ['-1', 'negative-register'],
]

/** Lines of a CSV that are not readings. */
export function badLines(deviceUuid: string): Bad[] {
  const { metricType, timestamp } = good
  const list: [text: string, code: string][] = [
    [`${deviceUuid},${metricType}`, 'malformed'],
    [`${deviceUuid},${metricType},${timestamp},1,2`, 'malformed'],
    ['x', 'malformed'],
    [`,${metricType},${timestamp},1`, 'unknown-device'],
    [`${deviceUuid},,${timestamp},1`, 'metric-not-declared'],
    [`${deviceUuid},${metricType},,1`, 'bad-timestamp'],
    [`${deviceUuid},${metricType},2099-01-01T00:00:00Z,1`, 'in-the-future'],
    [`${deviceUuid},${metricType},05/01/2026 20:00,1`, 'bad-timestamp'],
    [`${deviceUuid},${metricType},${timestamp},1${' '.repeat(long)}`, 'too-long'],
    [`{"deviceUuid":"${deviceUuid}"}`, 'malformed'],
  ]
  return list.map(([text, code]) => ({ text, code }))
}
