import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toTable } from '../../src/charts/table.ts'
import { toWindows } from '../../src/charts/windows.ts'
import { listHours } from '../calendar.ts'
import { makeSeries } from './series.ts'

describe('the table twin', () => {
  test('every window, with its quality in words', () => {
    const series = makeSeries([1.5, null, 0], { quality: ['estimated', 'missing', 'measured'] })
    assert.deepEqual(toTable(series, toWindows(series)), {
      columns: ['Amount'],
      rows: [
        {
          timestamp: '2026-11-17T00:00:00+01:00',
          time: 'Tue 17 Nov 2026, 00:00 to 01:00',
          numbers: [1.5],
          quality: 'estimated',
        },
        {
          timestamp: '2026-11-17T01:00:00+01:00',
          time: 'Tue 17 Nov 2026, 01:00 to 02:00',
          numbers: [null],
          quality: 'no data',
        },
        {
          timestamp: '2026-11-17T02:00:00+01:00',
          time: 'Tue 17 Nov 2026, 02:00 to 03:00',
          numbers: [0],
          quality: '',
        },
      ],
    })
  })

  test('climate has the lowest and highest reading; the period before is aligned by index', () => {
    const series = makeSeries([20, 21], { aggregation: 'mean', min: [19, 20], max: [21, 22] })
    const { columns, rows } = toTable(series, toWindows(series), makeSeries([18]))
    assert.deepEqual(columns, ['Mean', 'Lowest', 'Highest', 'Period before'])
    assert.deepEqual(
      rows.map(({ numbers }) => numbers),
      [
        [20, 19, 21, 18],
        [21, 20, 22, null],
      ],
    )
  })

  test('hours that clocks show twice are told apart', () => {
    const range = listHours('2026-10-25')
    const series = makeSeries(
      range.timestamps.map(() => 1),
      range,
    )
    const times = toTable(series, toWindows(series)).rows.map(({ time }) => time)
    assert.equal(new Set(times).size, 25)
    assert.equal(times[2], 'Sun 25 Oct 2026, 02:00 (UTC+2) to 02:00')
    assert.equal(times[3], 'Sun 25 Oct 2026, 02:00 (UTC+1) to 03:00')
  })
})
