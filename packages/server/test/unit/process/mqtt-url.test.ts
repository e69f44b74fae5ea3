import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMqttUrl } from '../../../src/process/mqtt-url.ts'

const loopback = { mqttUrl: undefined, host: '127.0.0.1', mqttHost: '127.0.0.1' }
const everywhere = { mqttUrl: undefined, host: '0.0.0.0', mqttHost: '0.0.0.0' }
const publicUrl = 'https://api.example.com'

test('the address of the embedded broker is that of its listener, with TLS if it is offered', () => {
  assert.equal(toMqttUrl(loopback, { mqtt: 1883, mqtts: undefined }, publicUrl), 'mqtt://127.0.0.1:1883')
  const onIpv6 = { ...loopback, mqttHost: '::1' }
  assert.equal(toMqttUrl(onIpv6, { mqtt: 1883, mqtts: undefined }, publicUrl), 'mqtt://[::1]:1883')
  const secure = { ...everywhere, mqttHost: '127.0.0.1' }
  assert.equal(toMqttUrl(secure, { mqtt: 1883, mqtts: 8883 }, publicUrl), 'mqtts://api.example.com:8883')
})

test('a broker that listens on every address is reached at the host of the public address', () => {
  for (const mqttHost of ['0.0.0.0', '::'])
    assert.equal(
      toMqttUrl({ ...everywhere, mqttHost }, { mqtt: 1883, mqtts: undefined }, publicUrl),
      'mqtt://api.example.com:1883',
    )
})

test('the address of an external broker has no credentials', () => {
  const external = { ...loopback, mqttUrl: 'mqtts://portico:secret@broker.example.com:8883' }
  assert.equal(
    toMqttUrl(external, { mqtt: 0, mqtts: undefined }, publicUrl),
    'mqtts://broker.example.com:8883',
  )
})
