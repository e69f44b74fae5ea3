import type { ColumnType, TransferTable } from './transfer.ts'

const PAGE = 1_000

type Columns = Record<string, ColumnType>

/** The key's columns come first. */
const table = (
  of: TransferTable['of'],
  name: string,
  key: Columns,
  rest: Columns,
  page = PAGE,
): TransferTable => ({
  name,
  of,
  columns: [...Object.entries(key), ...Object.entries(rest)],
  key: Object.keys(key).length,
  page,
})

const SITE = { site_uuid: 'uuid' } as const
const SERIES = { site_uuid: 'uuid', series_id: 'whole' } as const

/** In an order in which each table follows those that it references. */
export const TRANSFER_TABLES: readonly TransferTable[] = [
  table(
    'installation',
    'installation',
    { id: 'whole' },
    { created_at: 'whole', cursor_key: 'bytes', is_demo: 'flag', server_addresses: 'text' },
  ),
  table('installation', 'sites', SITE, {
    site_name: 'text',
    time_zone: 'text',
    sandbox: 'flag',
    legacy_id: 'whole',
    record: 'text',
    inventory_version: 'whole',
  }),
  table(
    'installation',
    'partners',
    { partner_uuid: 'uuid' },
    {
      client_id: 'text',
      name: 'text',
      enabled: 'flag',
      roles: 'text',
      tokens_not_before: 'whole',
      created_at: 'whole',
      updated_at: 'whole',
      rate_limits: 'text',
    },
  ),
  table('installation', 'partner_sites', { partner_uuid: 'uuid', site_uuid: 'uuid' }, {}),
  table(
    'installation',
    'partner_secrets',
    { secret_id: 'uuid' },
    {
      partner_uuid: 'uuid',
      hash: 'bytes',
      hint: 'text',
      created_at: 'whole',
      expires_at: 'whole',
      last_used_at: 'whole',
    },
  ),
  table(
    'installation',
    'signing_keys',
    { kid: 'text' },
    { algorithm: 'text', private_key: 'text', public_jwk: 'text', created_at: 'whole', retired_at: 'whole' },
  ),
  table(
    'installation',
    'console_sessions',
    { session_id: 'text' },
    {
      partner_uuid: 'uuid',
      secret_id: 'uuid',
      created_at: 'whole',
      expires_at: 'whole',
      address: 'text',
      agent: 'text',
    },
  ),
  table('installation', 'console_codes', { code_id: 'text' }, { partner_uuid: 'uuid', expires_at: 'whole' }),
  table(
    'installation',
    'audit',
    { id: 'whole' },
    {
      at: 'whole',
      actor_kind: 'text',
      actor_id: 'text',
      actor_name: 'text',
      trace_id: 'text',
      action: 'text',
      target: 'text',
      detail: 'text',
    },
  ),
  table(
    'installation',
    'rejected_messages',
    { id: 'whole' },
    {
      at: 'whole',
      topic: 'text',
      reason: 'text',
      message: 'text',
      payload: 'text',
      payload_bytes: 'whole',
      gateway_uuid: 'text',
    },
  ),
  table(
    'installation',
    'v1_usage',
    { partner_uuid: 'uuid', path: 'text', status_class: 'whole' },
    { calls: 'whole', last_seen_at: 'whole' },
  ),
  table(
    'installation',
    'v1_hourly_calls',
    { hour: 'whole', partner_uuid: 'uuid' },
    { calls: 'whole', failed: 'whole' },
  ),
  table(
    'installation',
    'v1_lifecycle',
    { method: 'text', path: 'text' },
    { deprecated_at: 'whole', sunset_at: 'whole', blackouts: 'text' },
  ),
  // An image may take megabytes.
  table('installation', 'images', { subject: 'text' }, { content_type: 'text', bytes: 'bytes' }, 8),
  table(
    'installation',
    'gateways',
    { gateway_uuid: 'uuid' },
    {
      site_uuid: 'uuid',
      name: 'text',
      mqtt_username: 'text',
      password_hash: 'bytes',
      mosquitto_hash: 'text',
      created_at: 'whole',
    },
  ),
  table(
    'site',
    'buildings',
    { ...SITE, building_uuid: 'uuid' },
    { legacy_id: 'whole', record: 'text', archived_at: 'whole' },
  ),
  table(
    'site',
    'spaces',
    { ...SITE, space_uuid: 'uuid' },
    { legacy_id: 'whole', record: 'text', archived_at: 'whole' },
  ),
  table(
    'site',
    'devices',
    { ...SITE, device_uuid: 'uuid' },
    { record: 'text', placements: 'text', archived_at: 'whole' },
  ),
  table('site', 'series', { ...SITE, subject_uuid: 'uuid', metric: 'text' }, { series_id: 'whole' }),
  table('site', 'presences', { ...SITE, sender_uuid: 'uuid' }, { is_online: 'flag', at: 'whole' }),
  table(
    'site',
    'commands',
    { ...SITE, device_uuid: 'uuid', command_uuid: 'uuid' },
    {
      partner_uuid: 'uuid',
      type: 'text',
      state: 'text',
      created_at: 'whole',
      updated_at: 'whole',
      expires_at: 'whole',
      completed_at: 'whole',
      failure: 'text',
      client_reference: 'text',
      schedule: 'text',
      ends_at: 'whole',
      deadline_at: 'whole',
    },
  ),
  table(
    'site',
    'outbox',
    { ...SITE, message_uuid: 'uuid' },
    {
      device_uuid: 'uuid',
      kind: 'text',
      body: 'text',
      tries: 'whole',
      failures: 'whole',
      created_at: 'whole',
      due_at: 'whole',
      sent_at: 'whole',
      leased_until: 'whole',
      retry_requested: 'flag',
      expires_at: 'whole',
      is_done: 'flag',
    },
  ),
  table(
    'site',
    'idempotency_keys',
    { ...SITE, partner_uuid: 'uuid', key: 'text' },
    { digest: 'bytes', command: 'text', created_at: 'whole' },
  ),
  table(
    'site',
    'server_schedules',
    { ...SITE, device_uuid: 'uuid' },
    { next_change_at: 'whole', last_target: 'text' },
  ),
  table(
    'installation',
    'webhooks',
    { webhook_uuid: 'uuid' },
    {
      partner_uuid: 'uuid',
      url: 'text',
      description: 'text',
      event_types: 'text',
      site_uuids: 'text',
      heartbeat: 'flag',
      state: 'text',
      reason: 'text',
      failing_since: 'whole',
      probe_at: 'whole',
      probes: 'whole',
      secret_number: 'whole',
      previous_ends_at: 'whole',
      next_heartbeat_at: 'whole',
      created_at: 'whole',
      updated_at: 'whole',
    },
  ),
  table('site', 'event_heads', SITE, { last_number: 'whole', first_number: 'whole' }),
  table(
    'site',
    'events',
    { ...SITE, number: 'whole' },
    {
      event_uuid: 'uuid',
      type: 'text',
      at: 'whole',
      recorded_at: 'whole',
      device_uuid: 'uuid',
      space_uuid: 'uuid',
      data: 'text',
    },
  ),
  table(
    'site',
    'device_statuses',
    { ...SITE, device_uuid: 'uuid' },
    { status: 'text', since: 'whole', pending: 'text', pending_since: 'whole', is_battery_low: 'flag' },
  ),
  table(
    'site',
    'webhook_positions',
    { ...SITE, webhook_uuid: 'uuid' },
    { position: 'whole', lost: 'whole', last_delivered_at: 'whole' },
  ),
  table(
    'site',
    'deliveries',
    { ...SITE, webhook_uuid: 'uuid', number: 'whole', round: 'whole' },
    {
      lane: 'uuid',
      type: 'text',
      state: 'text',
      tries: 'whole',
      gives_way: 'flag',
      created_at: 'whole',
      due_at: 'whole',
      leased_until: 'whole',
      delivered_at: 'whole',
      last_status: 'whole',
      last_error: 'text',
    },
  ),
  table(
    'site',
    'delivery_attempts',
    { ...SITE, webhook_uuid: 'uuid', number: 'whole', round: 'whole', try: 'whole' },
    { at: 'whole', status: 'whole', error: 'text', duration_ms: 'whole', response: 'text' },
  ),
  // End of the rolled-up days, of the days whose rollups can no longer be recomputed, and of those reported as closed.
  table('site', 'site_state', SITE, {
    rollup_watermark: 'whole',
    immutable_before: 'whole',
    closed_before: 'whole',
  }),
  table(
    'site',
    'corrections',
    { ...SERIES, from_day: 'whole' },
    { end_day: 'whole', first_at: 'whole', due_at: 'whole' },
  ),
  table('site', 'latest_readings', SERIES, { ts: 'whole', value: 'number' }),
  // One packed UTC day per row: domain/telemetry/reading/packed-day.ts.
  table('series', 'readings', { ...SERIES, day: 'whole' }, { readings: 'bytes' }, 366),
  table('series', 'rollup_days', { ...SERIES, day: 'whole' }, { cells: 'bytes' }),
  table('series', 'rollup_months', { ...SERIES, month: 'whole' }, { cells: 'bytes' }),
  table('series', 'rollup_quarter_hours', { ...SERIES, day: 'whole' }, { cells: 'bytes' }),
  // Closed days to roll up, `end_day` exclusive; each store decides when they are due.
  table('site', 'rollup_queue', { ...SERIES, from_day: 'whole' }, { end_day: 'whole' }),
]

export function transferTable(name: string): TransferTable {
  const found = TRANSFER_TABLES.find((one) => one.name === name)
  if (!found) throw new Error(`There is no table ${name} to copy.`)
  return found
}
