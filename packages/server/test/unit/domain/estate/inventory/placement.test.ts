import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Placement,
  placeDevice,
  removeDevice,
} from '../../../../../src/domain/estate/inventory/placement.ts'

const NOW = 1_000

test('a new device counts as always having been in its space', () => {
  assert.deepEqual(placeDevice([], 'a', null, NOW), [{ spaceUuid: 'a', from: 0, to: null }])
  assert.deepEqual(placeDevice([], 'a', 500, NOW), [{ spaceUuid: 'a', from: 500, to: null }])
})

test('applying the same placement again changes nothing', () => {
  const placements = placeDevice([], 'a', 500, NOW)
  assert.equal(placeDevice(placements, 'a', null, NOW + 1), placements)
  assert.equal(placeDevice(placements, 'a', 500, NOW + 1), placements)
})

test('a move ends the previous stay, at since or at the time of applying', () => {
  const placements = placeDevice([], 'a', null, NOW)
  assert.deepEqual(placeDevice(placements, 'b', null, NOW), [
    { spaceUuid: 'a', from: 0, to: NOW },
    { spaceUuid: 'b', from: NOW, to: null },
  ])
  assert.deepEqual(placeDevice(placements, 'b', 400, NOW), [
    { spaceUuid: 'a', from: 0, to: 400 },
    { spaceUuid: 'b', from: 400, to: null },
  ])
})

test('a corrected since moves the boundary between two stays', () => {
  const moved = placeDevice(placeDevice([], 'a', null, NOW), 'b', 400, NOW)
  for (const since of [300, 600]) {
    assert.deepEqual(placeDevice(moved, 'b', since, NOW), [
      { spaceUuid: 'a', from: 0, to: since },
      { spaceUuid: 'b', from: since, to: null },
    ])
  }
})

test('a removed device that returns to its space continues as if it had never been removed', () => {
  const placements = placeDevice([], 'a', null, NOW)
  assert.deepEqual(placeDevice(removeDevice(placements, NOW), 'a', null, NOW + 50), placements)
})

test('a removed device that returns elsewhere, or with since, begins a new stay', () => {
  const removed = removeDevice(placeDevice([], 'a', null, NOW), NOW)
  const before = { spaceUuid: 'a', from: 0, to: NOW }
  assert.deepEqual(placeDevice(removed, 'b', null, NOW + 50), [
    before,
    { spaceUuid: 'b', from: NOW + 50, to: null },
  ])
  assert.deepEqual(placeDevice(removed, 'a', NOW + 20, NOW + 50), [
    before,
    { spaceUuid: 'a', from: NOW + 20, to: null },
  ])
})

test('for any moves, stays never overlap and only the last is open', () => {
  const move = fc.record({
    space: fc.constantFrom('a', 'b', 'c'),
    since: fc.option(fc.nat(2_000)),
    remove: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(move, { maxLength: 12 }), (moves) => {
      let placements: readonly Placement[] = []
      moves.forEach(({ space, since, remove }, index) => {
        const now = 2_000 + index * 100
        placements = placeDevice(placements, space, since, now)
        if (remove) placements = removeDevice(placements, now + 50)
      })
      placements.forEach(({ from, to }, index) => {
        const next = placements[index + 1]
        if (to === null) assert.equal(next, undefined)
        else assert.ok(from <= to && (next === undefined || to <= next.from))
      })
    }),
  )
})
