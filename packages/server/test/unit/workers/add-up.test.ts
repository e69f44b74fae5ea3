import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics, type Metrics } from '../../../src/metrics.ts'
import { addUpFigures } from '../../../src/workers/add-up.ts'
import type { Figures } from '../../../src/workers/calls.ts'

const figuresOf = ({ toJson }: Metrics): Promise<Figures> => toJson()

const tokensIn = (text: string): string | undefined => /^portico_tokens_issued_total (\S+)$/m.exec(text)?.[1]

test('counts of all processes add up, also those of one that has ended', async () => {
  const [own, one, two, next] = [createMetrics(), createMetrics(), createMetrics(), createMetrics()]
  const figures = addUpFigures()
  one.tokensIssued.inc(3)
  two.tokensIssued.inc(4)
  figures.note(1, await figuresOf(one))
  figures.note(2, await figuresOf(two))
  assert.equal(tokensIn(await figures.text(await figuresOf(own))), '7')
  figures.keep(2)
  assert.equal(tokensIn(await figures.text(await figuresOf(own))), '7')
  next.tokensIssued.inc(5)
  figures.note(2, await figuresOf(next))
  assert.equal(tokensIn(await figures.text(await figuresOf(own))), '12')
  figures.keep(2)
  assert.equal(tokensIn(await figures.text(await figuresOf(own))), '12')
})

test('what a process that has ended held is held no more', async () => {
  const [own, one] = [createMetrics(), createMetrics()]
  const figures = addUpFigures()
  one.mqttClients.set(5)
  figures.note(1, await figuresOf(one))
  assert.match(await figures.text(await figuresOf(own)), /^portico_mqtt_clients 5$/m)
  figures.keep(1)
  assert.match(await figures.text(await figuresOf(own)), /^portico_mqtt_clients 0$/m)
})
