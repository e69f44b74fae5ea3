import assert from 'node:assert/strict'
import { PassThrough, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, test } from 'node:test'
import { FreeingSink } from '../../../../../src/http/pipeline/body/freeing-sink.ts'

const write = (sink: Writable, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve) => sink.write(chunk, () => resolve()))

describe('a sink that frees what it has written', () => {
  test('the memory of a chunk is freed when the target has accepted it, not before', async () => {
    let accept = (): void => assert.fail('nothing was written')
    const target = new Writable({
      write(_chunk, _encoding, done) {
        accept = done
      },
    })
    const chunk = new Uint8Array(1000)
    const written = write(new FreeingSink(target), chunk)
    assert.equal(chunk.buffer.byteLength, 1000)
    accept()
    await written
    assert.equal(chunk.buffer.byteLength, 0)
  })

  test('memory that the chunk shares with others is kept', async () => {
    const shared = Buffer.from('of which a part is sent')
    await write(new FreeingSink(new PassThrough()), shared.subarray(3, 8))
    assert.equal(shared.toString(), 'of which a part is sent')
  })

  test('the target receives everything and its end', async () => {
    const target = new PassThrough()
    const received = target.setEncoding('latin1').toArray()
    await pipeline(Readable.from([Buffer.from('one '), Buffer.from('two')]), new FreeingSink(target))
    assert.equal((await received).join(''), 'one two')
  })

  test('memory that a failing target may still use is kept, and the source is told', async () => {
    const target = new Writable({ write: (_chunk, _encoding, done) => done(new Error('full')) })
    target.on('error', () => {})
    const chunk = new Uint8Array(10)
    await assert.rejects(pipeline([chunk], new FreeingSink(target)), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
    assert.equal(chunk.buffer.byteLength, 10)
  })

  test('a target that closes ends the source, and a source that fails destroys the target', async () => {
    const closing = new PassThrough()
    const piped = pipeline(new Readable({ read() {} }), new FreeingSink(closing))
    closing.destroy()
    await assert.rejects(piped, { code: 'ERR_STREAM_PREMATURE_CLOSE' })

    const target = new PassThrough()
    const failed = new Promise((resolve) => target.once('error', resolve))
    const failing = Readable.from(
      (async function* () {
        yield Buffer.from('part')
        throw new Error('lost')
      })(),
    )
    await assert.rejects(pipeline(failing, new FreeingSink(target)), /lost/)
    assert.match(String(await failed), /lost/)
  })
})
