import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTime } from '../../src/calendar/parse-time.ts'
import { readCredentials } from '../../src/http/oauth/credentials.ts'
import { readForm } from '../../src/http/oauth/form.ts'
import { findJsonExcess } from '../../src/http/pipeline/body/json-body.ts'
import { chooseCoding, chooseType } from '../../src/http/pipeline/negotiate.ts'
import { matchesIfNoneMatch } from '../../src/http/pipeline/conditional-get.ts'
import { startsAsSvg } from '../../src/domain/estate/image/image.ts'
import { toNumber } from '../../src/domain/telemetry/ingest/number.ts'
import { signedCursors } from '../../src/kernel/cursor.ts'
import { isUuid } from '../../src/kernel/ids.ts'
import { parseZoneName, getZone } from '../../src/calendar/zone.ts'
import { parseTopic } from '../../src/mqtt/topics.ts'
import { parseInstant } from '../../src/domain/telemetry/reading/validate.ts'

/**
 * Long enough that a quadratic parser needs 10^9 steps, while a linear one takes a fraction of a millisecond. Processor
 * time is measured, so that the load of the machine does not matter.
 */
const LENGTH = 48 * 1024
const MAX_CPU_MS = 1_000

/** A prefix that a parser accepts, text that it could split in many ways, and a character at which it fails. */
const PREFIXES = ['', '1', '.', 'Basic ', 'Bearer a', '<?xml', '<!DOCTYPE', '2026-01-01T00:00:00.']
const REPEATED = [
  '1',
  'a',
  ' ',
  ',',
  ';',
  '=',
  '&',
  '+',
  '.',
  '/',
  '"',
  '?',
  '[',
  '<!---->',
  '<!--',
  '<!DOCTYPE svg>',
  'W/"",',
]
const FAILING = '!'

const utc = getZone('UTC')
const cursors = signedCursors(() => new Uint8Array(32))
const ignoringErrors = (parse: () => unknown): void => {
  try {
    parse()
  } catch {
    // Throwing is fine here; only the time matters.
  }
}

const PARSERS: Record<string, (text: string) => unknown> = {
  'an SVG': startsAsSvg,
  'a number': toNumber,
  'a zone name': parseZoneName,
  'a UUID': isUuid,
  'an MQTT topic': parseTopic,
  'the instant of a reading': parseInstant,
  'a time': (text) => parseTime(text, 'fromDateTime', utc),
  'the bounds of JSON': (text) => findJsonExcess(text),
  Accept: (text) => chooseType(text, ['application/json', 'text/csv']),
  'Accept-Encoding': (text) => chooseCoding(text, false),
  'If-None-Match': (text) => matchesIfNoneMatch(text, '"etag"'),
  Authorization: (text) => readCredentials({ headers: { authorization: text } }, new Map()),
  'a form': (text) =>
    readForm({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: Buffer.from(text) }),
  'the type of a form': (text) => readForm({ headers: { 'content-type': text }, body: Buffer.alloc(0) }),
  'a cursor': (text) => cursors.decode('scope', text),
}

for (const [what, parse] of Object.entries(PARSERS)) {
  test(`${what} is parsed in linear time`, () => {
    for (const repeated of REPEATED) {
      const body = repeated.repeat(Math.floor(LENGTH / repeated.length))
      for (const prefix of PREFIXES) {
        const text = prefix + body + FAILING
        const before = process.cpuUsage()
        ignoringErrors(() => parse(text))
        const { user, system } = process.cpuUsage(before)
        assert.ok((user + system) / 1_000 < MAX_CPU_MS, JSON.stringify([prefix, repeated]))
      }
    }
  })
}
