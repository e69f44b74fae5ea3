import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { addPartner, partnerRoles } from '../clients/operator.ts'
import type { Portico } from '../servers/portico.ts'
import { api, operatorToken, tokenFor } from '../clients/requests.ts'
import { type V2Client, v2Client } from '../clients/v2-client.ts'

/** A site with many records, and a partner that may read it. */
export async function makeSiteWithRecords(
  portico: Portico,
  { devices, spaces = 1 }: { devices: number; spaces?: number },
): Promise<V2Client> {
  const operator = await operatorToken(portico)
  const siteUuid = randomUUID()
  const buildingUuid = randomUUID()
  const spaceUuids = Array.from({ length: spaces }, () => randomUUID())
  const body = {
    site: { siteUuid, siteName: 'Large', timeZone: 'Europe/London' },
    buildings: [{ buildingUuid, buildingName: 'Tower' }],
    spaces: spaceUuids.map((spaceUuid, index) => ({
      spaceUuid,
      spaceName: `Room ${String(index).padStart(6, '0')}`,
      spaceType: 'office',
      buildingUuid,
    })),
    devices: Array.from({ length: devices }, (_, index) => ({
      deviceUuid: randomUUID(),
      deviceName: `Sensor ${String(index).padStart(6, '0')}, “hall” ü`,
      deviceType: 'multiSensor',
      manufacturer: 'Maker of sensors',
      model: 'A model with a long name',
      serialNumber: randomUUID(),
      spaceUuid: spaceUuids[index % spaces],
    })),
  }
  const answer = await api(portico, '/operator/inventory', { method: 'PUT', token: operator, body })
  assert.equal(answer.status, 200, answer.text)
  const { clientId, clientSecret } = await addPartner(portico, operator, {
    sites: [siteUuid],
    roles: partnerRoles,
  })
  return v2Client(portico, await tokenFor(portico, clientId, clientSecret), siteUuid)
}
