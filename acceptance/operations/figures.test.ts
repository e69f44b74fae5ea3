import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import {
  importReadings,
  postReadings,
  type ReadingRecord,
  write,
} from '../support/clients/ingest-channels.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { mqttChannel } from '../support/clients/mqtt-channel.ts'
import { override } from '../support/control/bodies.ts'
import { eventually } from '../support/eventually.ts'
import { asArray, asInteger, asObject, parseJson } from '../support/json.ts'
import { addMqttSite, metricIn } from '../support/fixtures/mqtt-site.ts'
import { addClient, startInstallation } from '../support/servers/installation.ts'
import { promtoolPath, skipWithout, testTools } from '../support/servers/test-tools.ts'

const ROOT = join(import.meta.dirname, '../..')
const HOUR = 3_600_000

const installation = await startInstallation({ RATE_LIMIT: 'off' })
after(() => installation.stop())
const { portico } = installation
const site = await addMqttSite(installation)
const { house, partner } = site

/** Waits until samples have these values: large stores are read less often than the metrics. */
const show = (wanted: Record<string, number>): Promise<void> =>
  eventually(async () => {
    const lines = (await readMetrics(portico)).split('\n')
    const samples = new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.split(' ').at(-1)]),
    )
    const names = Object.keys(wanted)
    assert.deepEqual(Object.fromEntries(names.map((name) => [name, Number(samples.get(name))])), wanted)
  })

const startedAt = Date.now()

const reading = (deviceUuid: string, hoursAgo: number, value: number): ReadingRecord => ({
  deviceUuid,
  metricType: 'temperature',
  timestamp: new Date(startedAt - hoursAgo * HOUR).toISOString(),
  value,
})

describe('readings are counted by source and result', () => {
  const stored = (source: string, result: string): string =>
    `portico_readings_total{source="${source}",result="${result}"}`
  const rejected = (source: string, reason: string): string =>
    `portico_readings_rejected_total{source="${source}",reason="${reason}"}`

  test('over HTTP', async () => {
    await postReadings(
      installation,
      'ndjson',
      write([reading(house.sensor, 4, 20), reading(house.sensor, 3, 21)], 'ndjson'),
    )
    await postReadings(
      installation,
      'ndjson',
      write(
        [
          reading(house.sensor, 4, 20),
          reading(house.sensor, 3, 22),
          reading(house.sensor, 2, 23),
          reading(randomUUID(), 2, 23),
        ],
        'ndjson',
      ),
    )
    await show({
      [stored('http', 'accepted')]: 3,
      [stored('http', 'replaced')]: 1,
      [stored('http', 'unchanged')]: 1,
      [rejected('http', 'unknown-device')]: 1,
    })
  })

  test('over MQTT, also if one message has an instant twice', async () => {
    const channel = mqttChannel(installation, house.siteUuid, site.account)
    await channel.send([
      reading(house.trv, 2, 18),
      reading(house.trv, 1, 19),
      reading(house.trv, 1, 19),
      { ...reading(house.trv, 1, 19), metricType: 'co2' },
    ])
    await channel.send([reading(house.trv, 2, 17)])
    await show({
      [stored('mqtt', 'accepted')]: 2,
      [stored('mqtt', 'replaced')]: 1,
      [stored('mqtt', 'unchanged')]: 1,
      [rejected('mqtt', 'metric-not-declared')]: 1,
    })
  })

  test('from files that a command imports', async () => {
    const destination = { ...installation, dataDir: portico.dataDir }
    await importReadings(
      destination,
      'csv',
      write([reading(house.cylinder, 4, 50), reading(house.cylinder, 3, 51)], 'csv'),
    )
    await importReadings(
      destination,
      'csv',
      write(
        [
          reading(house.cylinder, 3, 51),
          reading(house.cylinder, 2, 52),
          reading(house.cylinder, -48, 52),
          reading(randomUUID(), 2, 1),
        ],
        'csv',
      ),
    )
    await show({
      [stored('file', 'accepted')]: 3,
      [stored('file', 'unchanged')]: 1,
      [rejected('file', 'in-the-future')]: 1,
      [rejected('file', 'unknown-device')]: 1,
      [stored('http', 'accepted')]: 3,
    })
  })
})

test('requests and refusals are counted by partner', async () => {
  const client = await addClient(installation, [house.siteUuid], ['Spaces.Read'])
  const { partnerUuid } = client.partner
  for (const path of [
    '/spaces',
    '/spaces',
    '/devices',
    `/spaces/${randomUUID()}/overview`,
    '/spaces?limit=x',
  ])
    await client.send(path)
  await show({
    [`portico_partner_requests_total{partner="${partnerUuid}"}`]: 5,
    [`portico_partner_refusals_total{partner="${partnerUuid}",status="400"}`]: 1,
    [`portico_partner_refusals_total{partner="${partnerUuid}",status="403"}`]: 1,
    [`portico_partner_refusals_total{partner="${partnerUuid}",status="404"}`]: 1,
  })
})

test('series, and devices by status, are counted over all sites', async () => {
  await show({
    portico_series: 7,
    'portico_devices{status="online"}': 3,
    'portico_devices{status="offline"}': 0,
    'portico_devices{status="unknown"}': 2,
  })
  const other = await addMqttSite(installation)
  await show({
    portico_series: 14,
    'portico_devices{status="unknown"}': 7,
  })
  const gateway = await other.connect()
  await gateway.publish(other.topic(other.house.sensor, 'presence'), 'offline', { retain: true })
  await gateway.end()
  await show({
    'portico_devices{status="offline"}': 1,
    'portico_devices{status="unknown"}': 6,
  })
})

test('commands are counted by state, and with their age; their messages wait in the outbox', async () => {
  const answer = await partner.post(`/devices/${house.trv}/schedule`, override(21))
  assert.equal(answer.status, 202, answer.text)
  await show({
    portico_outbox_messages: 1,
  })
  await eventually(async () => {
    const metrics = await readMetrics(portico)
    const unfinished = metricIn(metrics, 'portico_commands_unfinished')
    assert.equal(unfinished, 1)
    assert.ok(metricIn(metrics, 'portico_commands_unfinished_oldest_seconds') > 0)
    assert.ok(metricIn(metrics, 'portico_outbox_oldest_seconds') > 0)
  })
  const { commandUuid } = answer.json
  const cancelled = await partner.send(`/devices/${house.trv}/commands/${String(commandUuid)}`, {
    method: 'DELETE',
  })
  assert.ok(cancelled.status < 300, cancelled.text)
  await show({
    'portico_commands_finished_last_hour{state="CANCELLED"}': 1,
    'portico_commands_finished_last_hour{state="FAILED"}': 0,
  })
  assert.equal(metricIn(await readMetrics(portico), 'portico_commands_unfinished'), 0)
})

test('the store has a size, rollups are not behind, and the event loop is measured', async () => {
  await show({ portico_rollup_lag_seconds: 0 })
  const metrics = await readMetrics(portico)
  assert.ok(metricIn(metrics, 'portico_store_bytes') > 10_000)
  for (const quantile of ['0.5', '0.99', '1'])
    assert.match(
      metrics,
      new RegExp(`^portico_event_loop_delay_seconds\\{quantile="${quantile}"\\} \\d`, 'm'),
    )
})

describe('documents and configuration use existing metrics', () => {
  const readFile = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
  /** The names of all metrics, whether they have a sample or not. */
  const listNames = async (): Promise<Set<string>> =>
    new Set([...(await readMetrics(portico)).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))

  for (const path of ['deploy/grafana/portico.json', 'deploy/prometheus/alerts.yaml'])
    test(path, async () => {
      const names = await listNames()
      const used = [...new Set(readFile(path).match(/\b(portico|process|nodejs)_[a-z0-9_]+/g))]
      assert.ok(used.length > 15)
      assert.deepEqual(
        used.filter((name) => !names.has(name) && !names.has(name.replace(/_(bucket|sum|count)$/, ''))),
        [],
      )
    })

  test('the dashboard has a panel for every metric of Portico', async () => {
    const dashboard = readFile('deploy/grafana/portico.json')
    const own = [...(await listNames())].filter((name) => name.startsWith('portico_'))
    assert.deepEqual(
      own.filter((name) => !new RegExp(`\\b${name}(_bucket)?\\{`).test(dashboard)),
      [],
    )
  })

  test('the panels of the dashboard have different ids and do not overlap', () => {
    const panels = asArray(asObject(parseJson(readFile('deploy/grafana/portico.json')))['panels']).map(
      asObject,
    )
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    const cells = panels.flatMap(({ gridPos }) => {
      const { x, y, w, h } = asObject(gridPos)
      const rows = Array.from({ length: asInteger(h) }, (_, row) => asInteger(y) + row)
      return rows.flatMap((row) =>
        Array.from({ length: asInteger(w) }, (_, column) => `${asInteger(x) + column},${row}`),
      )
    })
    assert.equal(new Set(cells).size, cells.length)
  })

  test('docs/operations.md lists every metric', async () => {
    const documented = [...readFile('docs/operations.md').matchAll(/^\| `((?:portico|process|nodejs)_\w+)/gm)]
    assert.deepEqual(documented.map(([, name = '']) => name).toSorted(), [...(await listNames())].toSorted())
  })
})

describe('the alert rules', { skip: skipWithout(testTools.prometheus) }, () => {
  test('are accepted by promtool', () => {
    const output = execFileSync(promtoolPath, ['check', 'config', 'deploy/prometheus/prometheus.yaml'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    assert.match(output, /SUCCESS: \d+ rules found/)
  })

  test('name the value that is too high', async () => {
    const alerts = {
      PorticoOutboxStuck: [
        'warning',
        { portico_outbox_messages: 3, portico_outbox_oldest_seconds: 7_200 },
        'A message to a device has been waiting for 2h 0m 0s.',
      ],
      PorticoWebhooksFail: [
        'info',
        { 'portico_webhooks{state="failing"}': 2 },
        'Webhooks whose endpoint has accepted nothing for an hour: 2.',
      ],
      PorticoRollupsBehind: [
        'warning',
        { portico_rollup_lag_seconds: 5_400 },
        'Rollups have been due for 1h 30m 0s: long series take longer to compute.',
      ],
    } as const
    const tests = Object.entries(alerts).map(([alertname, [severity, samples, summary]]) => ({
      interval: '1m',
      input_series: Object.entries(samples).map(([series, value]) => ({ series, values: `${value}x120` })),
      alert_rule_test: [
        {
          eval_time: '2h',
          alertname,
          exp_alerts: [{ exp_labels: { severity }, exp_annotations: { summary } }],
        },
      ],
    }))
    const folder = await mkdtemp(join(tmpdir(), 'portico-alerts-'))
    const file = join(folder, 'alerts.test.yaml')
    // JSON is YAML.
    const rules = join(ROOT, 'deploy/prometheus/alerts.yaml')
    await writeFile(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests }))
    const { status, stdout, stderr } = spawnSync(promtoolPath, ['test', 'rules', file], { encoding: 'utf8' })
    await rm(folder, { recursive: true })
    assert.equal(status, 0, `${stdout}${stderr}`)
  })
})
