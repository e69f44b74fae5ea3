import type { Inventory } from '@portico/sdk/operator'

export interface ParsedInventory {
  inventory?: Inventory
  /** Why the text cannot be sent. */
  problem?: string
}

/** Checks what the server cannot know: that the text is JSON and describes the site of this page. */
export function parseInventory(text: string, siteUuid?: string): ParsedInventory {
  if (text.trim() === '') return {}
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` }
  }
  if (!isRecord(document))
    return { problem: 'The document must be an object with the fields site, buildings, spaces and devices.' }
  const uuid = isRecord(document.site) ? document.site.siteUuid : undefined
  if (siteUuid !== undefined && typeof uuid === 'string' && uuid.toLowerCase() !== siteUuid.toLowerCase())
    return { problem: `This document is about another site (${uuid}).` }
  return { inventory: document as unknown as Inventory }
}

const isRecord = (value: unknown): value is { site?: unknown; siteUuid?: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One building, one room and one meter. */
export const EXAMPLE_INVENTORY = JSON.stringify(
  {
    site: {
      siteUuid: '3f1c0a52-8f0e-4d61-9f0e-5b8e4c1d2a01',
      siteName: 'Example Court',
      timeZone: 'Europe/London',
    },
    buildings: [{ buildingUuid: '3f1c0a52-8f0e-4d61-9f0e-5b8e4c1d2a02', buildingName: 'Main building' }],
    spaces: [
      {
        spaceUuid: '3f1c0a52-8f0e-4d61-9f0e-5b8e4c1d2a03',
        spaceName: 'Studio 1.01',
        spaceType: 'studio',
        buildingUuid: '3f1c0a52-8f0e-4d61-9f0e-5b8e4c1d2a02',
      },
    ],
    devices: [
      {
        deviceUuid: '3f1c0a52-8f0e-4d61-9f0e-5b8e4c1d2a04',
        deviceName: 'Meter 1.01',
        deviceType: 'electricityMeter',
        spaceUuid: '3f1c0a52-8f0e-4d61-9f0e-5b8e4c1d2a03',
        metrics: { electricity: { kind: 'register' } },
      },
    ],
  },
  null,
  2,
)
