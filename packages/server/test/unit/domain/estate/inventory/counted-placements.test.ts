import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { countedParts } from '../../../../../src/domain/estate/inventory/counted-placements.ts'
import type { Placement } from '../../../../../src/domain/estate/inventory/placement.ts'
import { createSiteModel, type SiteModel } from '../../../../../src/domain/estate/inventory/site-model.ts'
import type { StoredDevice } from '../../../../../src/domain/estate/inventory/store.ts'
import { METRIC_NAMES, type MeasuredMetric } from '../../../../../src/domain/metric/catalogue.ts'
import { makeSmallSite, REGISTER } from '../../../../support/small-site.ts'

const spaces = ['a', 'b', 'c']

const placement: fc.Arbitrary<Placement> = fc
  .record({
    spaceUuid: fc.constantFrom(...spaces),
    from: fc.nat(20),
    length: fc.nat(20),
    isOpen: fc.boolean(),
  })
  .map(({ spaceUuid, from, length, isOpen }) => ({ spaceUuid, from, to: isOpen ? null : from + length }))

const isThere = ({ from, to }: Placement, at: number): boolean => from <= at && (to === null || at < to)

test('a placement counts at exactly the instants at which no meter above it is in the sum', () => {
  fc.assert(
    fc.property(placement, fc.array(placement), fc.subarray(spaces), (own, above, sum) => {
      const parts = countedParts({ placement: own, above }, (space) => sum.includes(space))
      for (let at = 0; at < 45; at += 1) {
        const isCovered = above.some((one) => sum.includes(one.spaceUuid) && isThere(one, at))
        const expected = isThere(own, at) && !isCovered
        assert.equal(parts.filter((part) => isThere(part, at)).length, Number(expected), `at ${at}`)
      }
      for (const part of parts) {
        assert.equal(part.spaceUuid, own.spaceUuid)
        assert.ok(part.to === null || part.from < part.to || part === own)
      }
    }),
  )
})

describe('the placements of a site', () => {
  const document = makeSmallSite('Etc/UTC', 3, [])
  const [bedroom = '', kitchen = '', other = ''] = document.spaces.map(({ spaceUuid }) => spaceUuid)
  const {
    devices: [base = assert.fail()],
  } = makeSmallSite('Etc/UTC', 1, [{ space: 0, metrics: {} }])

  const place = (
    uuid: string,
    submeterOf: string | undefined,
    metrics: readonly MeasuredMetric[],
    ...placements: Placement[]
  ): StoredDevice => {
    const { since: _, ...record } = base
    return {
      record: {
        ...record,
        deviceUuid: uuid,
        spaceUuid: placements.at(-1)?.spaceUuid ?? '',
        ...(submeterOf === undefined ? {} : { submeterOf }),
        metrics: Object.fromEntries(metrics.map((metric) => [metric, REGISTER])),
      },
      isArchived: false,
      placements,
      series: Object.fromEntries(metrics.map((metric, index) => [metric, uuid.charCodeAt(0) * 10 + index])),
    }
  }
  const at = (spaceUuid: string, from = 0, to: number | null = null): Placement => ({ spaceUuid, from, to })
  const createModel = (...devices: StoredDevice[]): SiteModel =>
    createSiteModel(
      {
        version: 1,
        site: document.site,
        buildings: [],
        spaces: document.spaces.map((record) => ({ record, isArchived: false, series: {} })),
        devices,
      },
      METRIC_NAMES,
    )
  const listed = (placed: readonly { deviceUuid: string; placement: Placement }[]) =>
    placed.map(({ deviceUuid, placement: { from, to } }) => [deviceUuid, from, to])

  test('a sub-meter counts in its own space, and not in a sum with the space of its meter', () => {
    const model = createModel(
      place('main', undefined, ['electricity'], at(kitchen)),
      place('plug', 'main', ['electricity'], at(bedroom)),
    )
    const own = model.placedSeries(bedroom, 'electricity')
    assert.deepEqual(listed(own), [['plug', 0, null]])
    assert.equal(model.placedSeries(bedroom, 'electricity'), own)
    assert.deepEqual(model.placedInSum([bedroom, kitchen], 'electricity').map(listed), [
      [],
      [['main', 0, null]],
    ])
    // Where the sum makes no difference, the list is that of the space, whose rollups can be used.
    const [alone, elsewhere] = model.placedInSum([bedroom, other], 'electricity')
    assert.equal(alone, own)
    assert.deepEqual(elsewhere, [])
  })

  test('a meter above, however far, counts instead if it measures the same metric', () => {
    const model = createModel(
      place('root', undefined, ['electricity', 'water'], at(kitchen)),
      place('middle', 'root', ['electricity'], at(other)),
      place('plug', 'middle', ['electricity', 'water', 'gas'], at(bedroom)),
    )
    const inFlat = (metric: MeasuredMetric) =>
      model.placedInSum([bedroom, kitchen], metric).map((placed) => placed.map((one) => one.deviceUuid))
    assert.deepEqual(inFlat('electricity'), [[], ['root']])
    assert.deepEqual(inFlat('water'), [[], ['root']])
    assert.deepEqual(inFlat('gas'), [['plug'], []])
    assert.deepEqual(listed(model.placedInSum([bedroom, other], 'water').flat()), [['plug', 0, null]])
  })

  test('the rule follows the moves of the meter', () => {
    const model = createModel(
      place('main', undefined, ['electricity'], at(kitchen, 0, 10), at(other, 10, 30), at(kitchen, 30)),
      place('plug', 'main', ['electricity'], at(kitchen, 5)),
    )
    assert.deepEqual(listed(model.placedSeries(kitchen, 'electricity')), [
      ['main', 0, 10],
      ['main', 30, null],
      ['plug', 10, 30],
    ])
  })
})
