import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startStub } from './stub.ts'

const column = (buildingUuid: string, value: number | null) => ({
  buildingUuid,
  metricType: 'temperature',
  unit: 'degC',
  values: [value, null],
  min: [19, null],
  max: [21, null],
  quality: ['measured', 'missing'],
  coverage: [1, 0],
  summary: {},
})

const batch = (series: object[], nextCursor: string | null) => ({
  body: { timestamps: ['t0', 't1'], series, pagination: { nextCursor, hasMore: nextCursor !== null } },
})

describe('a batch', () => {
  test('has the rows of all pages', async () => {
    const stub = startStub((_, index) =>
      index === 0 ? batch([column('a', 20)], 'next') : batch([column('b', 0)], null),
    )
    const query = { metricTypes: ['temperature', 'co2'], groupBy: 'building', from: '2026-11-14' } as const
    const many = await stub.create().site().aggregate.hourly(query)
    assert.deepEqual(
      [...many.rows()].map(({ buildingUuid, metricType, points }) => [buildingUuid, metricType, points]),
      [
        ['a', 'temperature', pointsWith(20)],
        ['b', 'temperature', pointsWith(0)],
      ],
    )
    assert.equal(many.series.length, 2)
    assert.deepEqual(
      stub.seen.map(({ path }) => path),
      [
        '/aggregate/hourly?metricTypes=temperature,co2&groupBy=building&fromDateTime=2026-11-14',
        '/aggregate/hourly?metricTypes=temperature,co2&groupBy=building&fromDateTime=2026-11-14&cursor=next',
      ],
    )
  })

  test('is one page if the query has a limit', async () => {
    const stub = startStub(() => batch([column('a', 20)], 'next'))
    const many = await stub
      .create()
      .site()
      .consumption.daily({ metricTypes: ['temperature'], limit: 1 })
    assert.equal(many.pagination.nextCursor, 'next')
    assert.equal(stub.seen.length, 1)
  })
})

const pointsWith = (value: number): object[] => [
  { timestamp: 't0', value, min: 19, max: 21, quality: 'measured', coverage: 1 },
  { timestamp: 't1', value: null, quality: 'missing', coverage: 0 },
]
