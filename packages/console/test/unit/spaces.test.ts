import type { Space } from '@portico/sdk'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatFixed, formatValue, toColumnDigits } from '../../src/format.ts'
import { toScope } from '../../src/partner/space-scope.ts'
import { chunk, toSelection } from '../../src/partner/space-selection.ts'

describe('the spaces of a batch read', () => {
  const spaces = Array.from({ length: 450 }, (_, index) => ({ spaceUuid: String(index) }) as Space)
  const none = { search: undefined, spaceType: undefined, buildingUuid: undefined, floorNumber: undefined }

  test('are selected by the filters of a table that is whole', () => {
    const filters = { ...none, spaceType: 'office' }
    assert.deepEqual(toSelection(spaces, filters, true), { spaceType: 'office', buildingUuid: undefined })
  })

  test('are named if the table has more pages, or filters that batch reads lack', () => {
    const named = { spaceUuids: ['0', '1'] }
    const two = spaces.slice(0, 2)
    assert.deepEqual(toSelection(two, none, false), named)
    assert.deepEqual(toSelection(two, { ...none, search: 'x' }, true), named)
    assert.deepEqual(toSelection(two, { ...none, floorNumber: '0' }, true), named)
  })

  test('are at most 200 for each read', () => {
    assert.deepEqual(
      chunk(spaces).map(({ length }) => length),
      [200, 200, 50],
    )
  })
})

describe('whose consumption is shown', () => {
  const bedroom = { clusterUuid: 'c', metricTypes: ['temperature'], utilities: [{}] as never[] }

  test('that of the cluster if only the cluster has meters', () => {
    assert.equal(toScope(bedroom, undefined), 'cluster')
    assert.equal(toScope({ ...bedroom, metricTypes: ['electricity'] }, undefined), 'space')
    assert.equal(toScope({ ...bedroom, utilities: [] }, undefined), 'space')
  })

  test('what was chosen, if there is a cluster', () => {
    assert.equal(toScope(bedroom, 'space'), 'space')
    assert.equal(toScope({ ...bedroom, clusterUuid: null }, 'cluster'), 'space')
  })
})

describe('numbers of a column', () => {
  test('have the same digits after the decimal point', () => {
    const values = [0.63, 2, null, 0.624]
    const digits = toColumnDigits(values)
    assert.deepEqual(
      values.map((value) => formatFixed(value, digits, 'kWh')),
      ['0.630 kWh', '2.000 kWh', '–', '0.624 kWh'],
    )
  })

  test('have fewer digits if they are large', () => {
    assert.equal(toColumnDigits([1234.567, 1]), 0)
    assert.equal(toColumnDigits([123.456]), 1)
    assert.equal(toColumnDigits([]), 0)
  })
})

test('a value that is missing is a dash, and zero is a value', () => {
  assert.equal(formatValue(null, 'kWh'), '–')
  assert.equal(formatValue(0, 'degC'), '0 °C')
})
