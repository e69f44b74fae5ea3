import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pressKey, type View } from '../../src/charts/keyboard.ts'

const whole: View = { cursor: null, first: 0, last: 23 }
const press = (view: View, key: string, shiftKey = false): View | undefined =>
  pressKey(view, { key, shiftKey }, 24)

describe('the keyboard cursor', () => {
  test('arrows move by one window, and by ten with Shift', () => {
    assert.equal(press(whole, 'ArrowRight')?.cursor, 0)
    assert.equal(press(whole, 'ArrowLeft')?.cursor, 23)
    assert.equal(press({ ...whole, cursor: 5 }, 'ArrowRight')?.cursor, 6)
    assert.equal(press({ ...whole, cursor: 5 }, 'ArrowLeft')?.cursor, 4)
    assert.equal(press({ ...whole, cursor: 5 }, 'ArrowRight', true)?.cursor, 15)
    assert.equal(press({ ...whole, cursor: 20 }, 'ArrowRight', true)?.cursor, 23)
    assert.equal(press({ ...whole, cursor: 0 }, 'ArrowLeft')?.cursor, 0)
  })

  test('Home and End go to the edges', () => {
    assert.equal(press({ ...whole, cursor: 5 }, 'Home')?.cursor, 0)
    assert.equal(press({ ...whole, cursor: 5 }, 'End')?.cursor, 23)
  })

  test('plus and minus zoom around the cursor', () => {
    const closer = press({ ...whole, cursor: 12 }, '+')
    assert.deepEqual(closer, { cursor: 12, first: 6, last: 17 })
    assert.deepEqual(press(closer, '-'), { cursor: 12, first: 0, last: 23 })
    assert.deepEqual(press(closer, '−'), { cursor: 12, first: 0, last: 23 })
    assert.deepEqual(press({ cursor: 12, first: 11, last: 14 }, '+'), { cursor: 12, first: 11, last: 14 })
  })

  test('what is in view follows the cursor', () => {
    assert.deepEqual(press({ cursor: 9, first: 6, last: 9 }, 'ArrowRight'), {
      cursor: 10,
      first: 7,
      last: 10,
    })
    assert.deepEqual(press({ cursor: 9, first: 6, last: 9 }, 'Home'), { cursor: 0, first: 0, last: 3 })
  })

  test('Esc resets the zoom, then removes the cursor, then is left to the page', () => {
    assert.deepEqual(press({ cursor: 9, first: 6, last: 9 }, 'Escape'), { cursor: 9, first: 0, last: 23 })
    assert.deepEqual(press({ ...whole, cursor: 9 }, 'Escape'), whole)
    assert.equal(press(whole, 'Escape'), undefined)
  })

  test('other keys are left to the page', () => {
    assert.equal(press(whole, 'Tab'), undefined)
    assert.equal(
      pressKey({ cursor: null, first: 0, last: -1 }, { key: 'End', shiftKey: false }, 0),
      undefined,
    )
  })
})
