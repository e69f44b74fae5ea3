import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, loadConfig } from '../../../src/config/config.ts'
import { settingsReference } from '../../../src/config/reference.ts'
import { temporaryFolder } from '../../support/folder.ts'

test('without flags and environment the defaults apply', () => {
  const config = loadConfig({}, {})
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.port, 8080)
  assert.equal(config.isPortGiven, false)
  assert.equal(config.publicUrl, undefined)
  assert.equal(config.rateLimit, true)
  assert.ok(config.database.kind === 'sqlite')
  assert.match(config.database.file, /data\/portico\.db$/)
  assert.deepEqual([config.weatherProvider, config.carbonProvider], ['synthetic', 'synthetic'])
})

test('a flag overrides the environment, and an empty variable counts as not set', () => {
  assert.equal(loadConfig({ port: '9000' }, { PORT: '7000' }).port, 9000)
  assert.equal(loadConfig({}, { PORT: '7000' }).port, 7000)
  assert.equal(loadConfig({}, { PORT: '' }).port, 8080)
})

test('a secret is read from the file that NAME_FILE names', (t) => {
  const file = join(temporaryFolder(t), 'url')
  writeFileSync(file, 'sqlite:/srv/portico.db\n')
  const { database } = loadConfig({}, { DATABASE_URL_FILE: file })
  assert.deepEqual(database, { kind: 'sqlite', file: '/srv/portico.db' })
  assert.throws(() => loadConfig({}, { DATABASE_URL_FILE: '/nowhere' }), ConfigError)
})

test('DATABASE_URL selects PostgreSQL', () => {
  const url = 'postgres://portico:secret@db.example/portico?prepare=false'
  assert.deepEqual(loadConfig({ database: url }, {}).database, { kind: 'postgres', url })
})

test('with TLS, the embedded broker offers it on 8883, and plain MQTT is open to the network only if its port is set', (t) => {
  const folder = temporaryFolder(t)
  const files = { 'tls-cert': join(folder, 'cert.pem'), 'tls-key': join(folder, 'key.pem') }
  for (const file of Object.values(files)) writeFileSync(file, '')
  const broker = (flags: Record<string, string>): unknown[] => {
    const { mqttHost, mqttPort, mqttsPort } = loadConfig({ host: '0.0.0.0', ...flags }, {})
    return [mqttHost, mqttPort, mqttsPort]
  }
  assert.deepEqual(broker({}), ['0.0.0.0', 1883, undefined])
  assert.deepEqual(broker(files), ['127.0.0.1', 1883, 8883])
  assert.deepEqual(broker({ ...files, 'mqtt-port': '1883' }), ['0.0.0.0', 1883, 8883])
  assert.deepEqual(broker({ ...files, 'mqtts-port': '9883' }), ['127.0.0.1', 1883, 9883])
  assert.deepEqual(broker({ ...files, 'mqtts-port': 'off' }), ['127.0.0.1', 1883, undefined])
  assert.throws(() => broker({ 'mqtts-port': '8883' }), ConfigError)
  assert.throws(() => broker({ ...files, 'mqtts-port': 'on' }), ConfigError)
})

const BAD: [Record<string, string>, RegExp][] = [
  [{ PORT: '99999' }, /^PORT must be a port/],
  [{ PORT: '80 ' }, /^PORT/],
  [{ PUBLIC_URL: 'example.com' }, /^PUBLIC_URL/],
  [{ PUBLIC_URL: 'https://example.com/api' }, /without a path/],
  [{ PUBLIC_URL: 'ftp://example.com' }, /^PUBLIC_URL/],
  [{ TENANT: 'v2' }, /^TENANT/],
  [{ TENANT: 'a/b' }, /^TENANT/],
  [{ RATE_LIMIT: 'maybe' }, /on or off/],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of/],
  [{ DATABASE_URL: 'mysql://user:hunter2@db/x' }, /^DATABASE_URL must be/],
  [{ DATABASE_URL: 'postgres://user:hunter2%@db/x' }, /^DATABASE_URL must be/],
  [{ TRUST_PROXY: 'some proxy' }, /^TRUST_PROXY/],
  [{ TLS_CERT: '/nowhere' }, /^TLS_CERT/],
  [{ TLS_CERT: import.meta.filename }, /needs --tls-key/],
  [{ OUTSIDE_ISSUER_JWKS: 'http://i.example/k' }, /^OUTSIDE_ISSUER_JWKS must be an https address/],
  [{ OUTSIDE_ISSUER: 'https://issuer.example' }, /needs OUTSIDE_ISSUER_JWKS/],
  [{ OUTSIDE_ISSUER: 'https://i.example', OUTSIDE_ISSUER_JWKS: 'https://i.example/k' }, /AUDIENCE/],
  [{ WEATHER_PROVIDER: 'forecast' }, /^WEATHER_PROVIDER must be one of synthetic, open-meteo/],
  [{ WEATHER_URL: 'https://user:hunter2@weather.example' }, /^WEATHER_URL must be .* without a user/],
  [{ WEATHER_URL: 'weather.example?apikey=hunter2' }, /^WEATHER_URL/],
  [{ CARBON_PROVIDER: 'on' }, /^CARBON_PROVIDER must be one of/],
  [{ CARBON_URL: 'file:///etc/passwd' }, /^CARBON_URL/],
  [{ BUILTIN_ISSUER: 'off' }, /needs OUTSIDE_ISSUER/],
  [{ WORKERS: '0' }, /^WORKERS must be a whole number from 1/],
  [{ GAS_KG_PER_M3: '-2' }, /^GAS_KG_PER_M3 must be a number from 0 to 100/],
  [{ HEAT_KG_PER_KWH: '0,18' }, /^HEAT_KG_PER_KWH must be a number from 0 to 100/],
  [{ COOLING_KG_PER_KWH: '101' }, /^COOLING_KG_PER_KWH must be a number from 0 to 100/],
  [{ REDIS_URL: 'https://:hunter2@redis' }, /^REDIS_URL must be an address such as redis:/],
  [{ REDIS_URL: 'redis://' }, /^REDIS_URL/],
]

for (const [env, message] of BAD) {
  test(`${JSON.stringify(env)} is rejected with one line`, () => {
    assert.throws(
      () => loadConfig({}, env),
      (error) => {
        assert.ok(error instanceof ConfigError)
        assert.match(error.message, message)
        assert.ok(!error.message.includes('\n'))
        assert.ok(!error.message.includes('hunter2'), 'a secret is never shown')
        return true
      },
    )
  })
}

test('docs/configuration.md matches the settings', () => {
  const file = new URL('../../../../../docs/configuration.md', import.meta.url)
  assert.equal(readFileSync(file, 'utf8'), settingsReference())
})
