import { SIMULATED_MODES, type Simulation } from '../../../domain/control/simulation/sandbox.ts'
import type { SimulationStore } from '../../../domain/control/simulation/store.ts'
import type { Database } from '../pool/connect.ts'

interface Row {
  deviceUuid: string
  mode: string
  delaySeconds: number | null
  number: number
}

export const postgresSimulations = (db: Database): SimulationStore => ({
  register: (siteUuid, deviceUuids) =>
    db.change(async (sql) => {
      await sql`
        INSERT INTO simulations AS known (site_uuid, device_uuid)
        VALUES (${siteUuid}, unnest(${deviceUuids}::uuid[]))
        ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET requested = known.requested + 1 WHERE known.mode IS NOT NULL`
    }),
  request: (siteUuid, deviceUuid, { mode, delaySeconds }) =>
    db.change(async (sql) => {
      const [row] = await sql<{ requested: number }[]>`
        UPDATE simulations SET mode = ${mode}, delay_seconds = ${delaySeconds}, requested = requested + 1
        WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} RETURNING requested`
      return row?.requested
    }),
  listPending: (siteUuid) =>
    db.read(async (sql) => {
      const rows = await sql<Row[]>`
        SELECT device_uuid AS "deviceUuid", mode, delay_seconds AS "delaySeconds", requested AS number
        FROM simulations WHERE site_uuid = ${siteUuid} AND requested > acknowledged`
      return rows.map(({ deviceUuid, number, ...row }) => ({
        deviceUuid,
        number,
        simulation: toSimulation(row),
      }))
    }),
  acknowledge: (siteUuid, deviceUuid, number) =>
    db.change(async (sql) => {
      await sql`
        UPDATE simulations SET acknowledged = greatest(acknowledged, ${number}::integer)
        WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid}`
    }),
  isAcknowledged: (siteUuid, deviceUuid, number) =>
    db.read(async (sql) => {
      const rows = await sql`
        SELECT 1 FROM simulations
        WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} AND acknowledged >= ${number}`
      return rows.length > 0
    }),
})

function toSimulation({ mode, delaySeconds }: Pick<Row, 'mode' | 'delaySeconds'>): Simulation {
  if (mode === 'delay') return { mode, delaySeconds: delaySeconds ?? 0 }
  const known = SIMULATED_MODES.find((name) => name === mode)
  if (!known || known === 'delay') throw new Error('Column mode holds an unknown mode.')
  return { mode: known, delaySeconds: null }
}
