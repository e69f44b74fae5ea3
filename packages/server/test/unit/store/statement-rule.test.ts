import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBrokenRule } from '../../support/statement-rule.ts'

const VALID = [
  'SELECT * FROM commands WHERE site_uuid = $1 AND device_uuid = $2',
  'SELECT * FROM partners WHERE partner_uuid = $1',
  'SELECT /* every site */ DISTINCT site_uuid FROM outbox WHERE due_at <= $1',
  'SELECT c.state FROM commands c LEFT JOIN outbox o ON o.site_uuid = $1 WHERE c.site_uuid = $1',
  'SELECT (SELECT count(*) FROM devices WHERE site_uuid = $1) FROM sites WHERE site_uuid = $1',
  'UPDATE outbox SET due_at = $1 WHERE site_uuid = $2 AND message_uuid = ANY(ARRAY(SELECT message_uuid FROM outbox WHERE site_uuid = $2))',
  'INSERT INTO "series" (site_uuid, metric) VALUES ($1, $2)',
  'INSERT INTO series (site_uuid, metric) VALUES ($1, unnest($2::text[])) ON CONFLICT DO NOTHING',
  'INSERT INTO series (site_uuid, metric) SELECT /* by copy */ $1, metric FROM unnest($2::text[]) AS metric',
  'CREATE INDEX some ON outbox (due_at)',
  'DELETE FROM rate_limit_counters WHERE key = $1 AND expires_at < $2',
  'SELECT 1 FROM site_state WHERE site_uuid = $1 FOR KEY SHARE',
  'SELECT 1 FROM installation FOR UPDATE',
]

const BROKEN: [statement: string, why: RegExp][] = [
  ['SELECT * FROM commands WHERE command_uuid = $1', /commands is not tied/],
  ['SELECT * FROM "commands" WHERE device_uuid = $1', /commands is not tied/],
  ['DELETE FROM outbox WHERE expires_at <= $1', /outbox is not tied/],
  ['UPDATE server_schedules SET next_change_at = $1 WHERE device_uuid = $2', /server_schedules is not tied/],
  ['SELECT 1 FROM commands c JOIN outbox o ON o.site_uuid = c.site_uuid WHERE c.site_uuid = $1', /o is not/],
  ['SELECT 1 FROM sites WHERE site_uuid = $1 AND EXISTS (SELECT 1 FROM devices)', /devices is not tied/],
  ['WITH due AS (SELECT * FROM outbox) SELECT * FROM due', /outbox is not tied/],
  [
    'UPDATE outbox SET due_at = 1 WHERE site_uuid = $1 AND message_uuid IN (SELECT message_uuid FROM outbox)',
    /outbox is/,
  ],
  ['DELETE FROM rate_limit_counters WHERE expires_at < $1', /rate_limit_counters is not tied/],
  ['DELETE /* every site */ FROM outbox WHERE expires_at <= $1', /every site/],
  ['UPDATE partners SET updated_at = extract(epoch from now())', /volatile/],
  ['INSERT INTO series (site_uuid, metric) SELECT $1, metric FROM unnest($2::text[]) AS metric', /SQLSTATE/],
  ['SELECT 1 FROM sites WHERE site_uuid = $1 FOR KEY SHARE', /share lock/],
  ['MERGE INTO outbox USING commands ON true WHEN MATCHED THEN DELETE', /MERGE/],
]

for (const statement of VALID)
  test(`accepted: ${statement}`, () => assert.equal(findBrokenRule(statement), undefined))

for (const [statement, why] of BROKEN)
  test(`rejected: ${statement}`, () => assert.match(findBrokenRule(statement) ?? 'nothing', why))
