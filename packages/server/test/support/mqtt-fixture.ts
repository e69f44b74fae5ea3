import type { TestContext } from 'node:test'
import { createSiteDirectory } from '../../src/domain/estate/inventory/site-directory.ts'
import { createReadingBatches } from '../../src/mqtt/handlers/reading-batches.ts'
import { handleReadings } from '../../src/mqtt/handlers/readings.ts'
import { BACKENDS } from './backends.ts'
import { createClock } from './clock.ts'
import { addMeter } from './seed.ts'

/** A meter on a real store, and the results of messages about it. */
export async function createIntakeFixture(test: TestContext) {
  const [backend] = BACKENDS
  if (!backend) throw new Error('there is no backend')
  const store = await backend.open(test)
  const { siteUuid, deviceUuid, seriesId } = await addMeter(store)
  const siteDirectory = createSiteDirectory(store.inventory)
  const clock = createClock()
  const handler = handleReadings({
    siteDirectory,
    inventory: store.inventory,
    batches: createReadingBatches((site, batch, onConflict) => store.readings.add(site, batch, onConflict)),
    counter: { rejected() {} },
    clock,
    rawRetentionMs: undefined,
  })
  return {
    /** The code of a rejection, once everything is stored. */
    async send(
      readings: [timestamp: string, value: number][],
      flags: { isDuplicate?: boolean; isRetainedCopy?: boolean } = {},
    ): Promise<string | undefined> {
      const payload = Buffer.from(
        JSON.stringify({
          readings: readings.map(([timestamp, value]) => ({ metricType: 'electricity', timestamp, value })),
        }),
      )
      const { rejection, stored } = await handler(
        { kind: 'readings', siteUuid, senderUuid: deviceUuid },
        { payload, isDuplicate: false, isRetainedCopy: false, ...flags },
      )
      return ((await stored)?.rejection ?? rejection)?.code
    },
    async values(): Promise<number[]> {
      const span = { from: 0, to: Date.UTC(2100, 0, 1) }
      return [...(await store.readings.within(siteUuid, seriesId, span)).values]
    },
  }
}
