import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoBuildingImage, demoInventories, demoLogo } from '@portico/demo/content/index'
import { detectImageType } from '../../../../../src/domain/estate/image/image.ts'

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1')

const CASES: [what: string, bytes: Uint8Array, type: string | undefined][] = [
  ['a PNG', latin1('\x89PNG\r\n\x1a\nrest'), 'image/png'],
  ['a JPEG', latin1('\xff\xd8\xff\xe0rest'), 'image/jpeg'],
  ['a WebP', latin1('RIFF\x10\0\0\0WEBPVP8 '), 'image/webp'],
  ['another RIFF', latin1('RIFF\x10\0\0\0WAVEfmt '), undefined],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
  [
    'an SVG with a prologue',
    Buffer.from('\uFEFF<?xml version="1.0"?>\n<!-- made by hand -->\n<svg></svg>'),
    'image/svg+xml',
  ],
  ['HTML', Buffer.from('<html><svg></svg></html>'), undefined],
  ['text that is not UTF-8', latin1('<svg>\xff</svg>'), undefined],
  ['nothing', new Uint8Array(), undefined],
]

for (const [what, bytes, type] of CASES) {
  test(`${what} is ${type ?? 'not a supported image'}`, () => assert.equal(detectImageType(bytes), type))
}

test('the pictures of the demo have their declared types, and are small', () => {
  const buildings = demoInventories().main.buildings
  for (const { type, bytes } of [demoLogo(), ...buildings.map(demoBuildingImage)]) {
    assert.equal(detectImageType(bytes), type)
    assert.ok(bytes.byteLength < 10_000)
  }
})
