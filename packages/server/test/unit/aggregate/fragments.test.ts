import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fragment } from '../../../src/aggregate/fragment.ts'
import { createFragments } from '../../../src/aggregate/fragments.ts'
import type { SeriesText } from '../../../src/aggregate/series-texts.ts'
import { Digest } from '../../../src/lib/digest.ts'

const fragment = (size: number): Fragment => ({
  edges: [0, 1],
  text: 'x'.repeat(size),
  starts: [0, size],
  unbroken: 1,
  figures: [1, 1, 1, 1],
  digests: [1, 1],
})

const text: SeriesText = {
  windows: () => '',
  digest: new Digest(),
  hasData: true,
  summary: { min: 1, max: 1 },
}

test('fragments are found again under the version that they were made of, and under no other', () => {
  const fragments = createFragments(1_000_000)
  const made = fragment(10)
  fragments.of('a', '1').put(7, made)
  assert.equal(fragments.of('a', '1').get(7), made)
  assert.equal(fragments.of('b', '1').get(7), undefined)
  assert.equal(fragments.of('a', '2').get(7), undefined)
  assert.equal(fragments.of('a', '1').get(7), undefined)
})

test('who holds on to what was dropped is told so, and finds nothing there', () => {
  const fragments = createFragments(10_000)
  const first = fragments.of('a', '1')
  first.put(1, fragment(10))
  assert.equal(first.isGone(), false)
  for (let series = 0; series < 30; series += 1) fragments.of(`other ${series}`, '1')
  assert.equal(first.isGone(), true)
  assert.equal(first.get(1), undefined)
})

test('one that was made while its version passed is not kept', () => {
  const fragments = createFragments(1_000_000)
  const slow = fragments.of('a', '1')
  const current = fragments.of('a', '2')
  slow.put(7, fragment(10))
  assert.equal(current.get(7), undefined)
  assert.equal(fragments.of('a', '2').get(7), undefined)
})

test('when there is no room, the series that was not asked for the longest goes', () => {
  const fragments = createFragments(10_000)
  for (const key of ['a', 'b', 'c']) fragments.of(key, '1').put(1, fragment(2_000))
  fragments.of('a', '1')
  fragments.of('d', '1').put(1, fragment(2_000))
  const isThere = (key: string): boolean => fragments.of(key, '1').get(1) !== undefined
  assert.deepEqual(['a', 'b', 'c', 'd'].filter(isThere), ['a', 'c', 'd'])
})

test('series without a fragment take room too', () => {
  const fragments = createFragments(10_000)
  fragments.of('a', '1').put(1, fragment(10))
  for (let series = 0; series < 30; series += 1) fragments.of(`empty ${series}`, '1')
  assert.equal(fragments.of('a', '1').get(1), undefined)
})

test('a series that is made of fragments goes with them, those of others included', () => {
  const fragments = createFragments(10_000)
  const edges = [0, 1]
  const closed = fragments.of('a', '1')
  const open = fragments.of('a open', '1')
  closed.putText(edges, open, text)
  assert.equal(closed.textOf(edges, open), text)
  assert.equal(closed.textOf([0, 1], open), undefined)
  const later = fragments.of('a open', '2')
  assert.equal(closed.textOf(edges, later), undefined)
  const whole = [0, 7]
  closed.putText(whole, undefined, text)
  assert.equal(closed.textOf(whole, later), text)
  assert.equal(fragments.of('a', '2').textOf(edges, open), undefined)
  for (let series = 0; series < 30; series += 1) fragments.of(`other ${series}`, '1')
  assert.equal(closed.textOf(edges, open), undefined)
})

test('series that are made of fragments take room too', () => {
  const fragments = createFragments(10_000)
  fragments.of('a', '1').put(1, fragment(10))
  for (let range = 0; range < 15; range += 1) fragments.of('b', '1').putText([range], undefined, text)
  assert.equal(fragments.of('a', '1').get(1), undefined)
})
