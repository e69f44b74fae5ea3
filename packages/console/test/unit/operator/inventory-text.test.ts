import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EXAMPLE_INVENTORY, parseInventory } from '../../../src/operator/inventory-text.ts'

const SITE = '3f1c0a52-8f0e-4d61-9f0e-5b8e4c1d2a01'

describe('a document that is pasted', () => {
  it('is sent as it is, so that the server reports what is wrong with its fields', () => {
    assert.deepEqual(parseInventory('{"site": 1}'), { inventory: { site: 1 } })
    assert.deepEqual(parseInventory(EXAMPLE_INVENTORY, SITE).problem, undefined)
  })

  it('must be a JSON object', () => {
    assert.match(parseInventory('{"site":').problem ?? '', /^This is not JSON: /)
    assert.match(parseInventory('[]').problem ?? '', /^The document must be an object/)
    assert.deepEqual(parseInventory('  '), {})
  })

  it('must be about the site of the page', () => {
    const other = SITE.replace('3f', '4f')
    assert.match(parseInventory(EXAMPLE_INVENTORY, other).problem ?? '', /another site/)
    assert.equal(parseInventory(EXAMPLE_INVENTORY, SITE.toUpperCase()).problem, undefined)
  })
})
