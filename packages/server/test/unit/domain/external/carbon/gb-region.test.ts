import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOutwardCode, findRegion } from '../../../../../src/domain/external/carbon/gb-region.ts'

const OUTWARD: [postcode: string, outward: string | null][] = [
  ['E1', 'E1'],
  ['e1 6an', 'E1'],
  ['E16AN', 'E1'],
  ['LS10 1AA', 'LS10'],
  [' LS101AA ', 'LS10'],
  ['EC1A1BB', 'EC1A'],
  ['10115', null],
  ['', null],
  ['E1/../generation', null],
  ['E1?x=1', null],
]

for (const [postcode, outward] of OUTWARD)
  test(`the outward part of ${JSON.stringify(postcode)} is ${outward}`, () => {
    assert.equal(parseOutwardCode(postcode), outward)
  })

const REGIONS: [what: string, postcode: string | null, at: [number, number] | null, region: string | null][] =
  [
    ['a postcode counts more than coordinates', 'E1', [48.86, 2.35], 'E1'],
    ['nothing is known', null, null, 'GB'],
    ['Edinburgh', null, [55.95, -3.19], 'GB'],
    ["Land's End", null, [50.07, -5.71], 'GB'],
    ['Stornoway', null, [58.21, -6.39], 'GB'],
    ['Paris', null, [48.86, 2.35], null],
    ['Dublin', 'D02 AF30', [53.34, -6.26], null],
    ['Belfast by its postcode', 'BT1 5GS', null, null],
    ['Belfast', null, [54.6, -5.93], null],
    ['Jersey', 'JE2 3AB', [49.19, -2.1], null],
  ]

for (const [what, postcode, at, region] of REGIONS)
  test(`the region of a location: ${what}`, () => {
    const [latitude, longitude] = at ?? [null, null]
    assert.equal(findRegion({ postcode, latitude, longitude }), region)
  })
