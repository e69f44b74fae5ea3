import type { HttpRequest } from './saturate.ts'
import type { Installation } from './installation.ts'
import { isRegister, type Residence, type RoomReading } from './residence.ts'

/** Delivers readings as an operator does: CSV, durable when the response arrives. */
export function deliver(
  { operatorToken }: Installation,
  { meterUuids, sensorUuids }: Residence,
  readings: readonly RoomReading[],
): HttpRequest {
  const lines = readings.map(({ room, metric, at, value }) => {
    const deviceUuid = (isRegister(metric) ? meterUuids : sensorUuids)[room]
    return `${deviceUuid},${metric},${new Date(at).toISOString()},${value}\n`
  })
  return {
    method: 'POST',
    path: '/operator/readings',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'text/csv' },
    body: `deviceUuid,metricType,timestamp,value\n${lines.join('')}`,
  }
}
