import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BadRequestError, type List, type Space, TimeoutError } from '../../src/index.ts'
import { catchRejection, type Stub, type StubAnswer, startStub } from './stub.ts'

const page = (names: string[], nextCursor: string | null): StubAnswer => ({
  body: {
    data: names.map((spaceName) => ({ spaceName })),
    pagination: { nextCursor, hasMore: nextCursor !== null },
  },
})

/** Pages of spaces, with an empty one in the middle. */
const PAGES = [page(['a', 'b'], 'one'), page([], 'two'), page(['c'], null)]

const serve = (...pages: StubAnswer[]): { stub: Stub; list: () => List<Space> } => {
  const stub = startStub((_, index) => pages[index] ?? { status: 500 })
  return { stub, list: () => stub.create().site().spaces.list({ spaceType: 'studio', limit: 2 }) }
}

const pathsOf = (stub: Stub): string[] => stub.seen.map(({ path }) => path)

describe('a list', () => {
  test('is iterated page by page, over an empty one too', async () => {
    const { stub, list } = serve(...PAGES)
    const names: string[] = []
    for await (const { spaceName } of list()) names.push(spaceName)
    assert.deepEqual(names, ['a', 'b', 'c'])
    assert.deepEqual(pathsOf(stub), [
      '/spaces?limit=2&spaceType=studio',
      '/spaces?limit=2&spaceType=studio&cursor=one',
      '/spaces?limit=2&spaceType=studio&cursor=two',
    ])
  })

  test('can be read into an array', async () => {
    const { list } = serve(...PAGES)
    assert.equal((await list().toArray()).length, 3)
  })

  test('can be read one page at a time', async () => {
    const { stub, list } = serve(...PAGES)
    assert.deepEqual(await list().page(), {
      data: [{ spaceName: 'a' }, { spaceName: 'b' }],
      nextCursor: 'one',
    })
    assert.equal(stub.seen.length, 1)
  })

  test('requests no further page after break', async () => {
    const { stub, list } = serve(...PAGES)
    for await (const _ of list()) break
    assert.equal(stub.seen.length, 1)
  })

  test('requests nothing before it is used', () => {
    const { stub, list } = serve(...PAGES)
    list()
    assert.equal(stub.seen.length, 0)
  })

  test('read as an array has one deadline for all its pages', async () => {
    let count = 0
    const stub = startStub(async () => {
      await new Promise(setImmediate)
      return page(['a'], `cursor-${(count += 1)}`)
    })
    const error = await catchRejection(stub.create().site().spaces.list({}, { deadlineMs: 50 }).toArray())
    assert.ok(error instanceof TimeoutError)
  })

  test('whose cursor becomes invalid throws the error of the server', async () => {
    const { list } = serve(page(['a'], 'one'), { status: 400 })
    const names: string[] = []
    const error = await catchRejection(
      (async () => {
        for await (const { spaceName } of list()) names.push(spaceName)
      })(),
    )
    assert.ok(error instanceof BadRequestError)
    assert.deepEqual(names, ['a'])
  })
})

test('readings come in pages as well', async () => {
  const reading = { timestamp: '2026-11-14T00:00:00+00:00', value: 1 }
  const stub = startStub((_, index) => ({
    body: {
      timeSeries: [reading],
      pagination: { nextCursor: index === 0 ? 'x' : null, hasMore: index === 0 },
    },
  }))
  const from = new Date('2026-11-14T00:00:00Z')
  const readings = await stub.create().site().devices.readings('d', 'electricity', { from }).toArray()
  assert.deepEqual(readings, [reading, reading])
  assert.equal(
    stub.seen[0]?.path,
    '/devices/d/consumption/electricity?limit=1000&fromDateTime=2026-11-14T00%3A00%3A00.000Z&interval=raw',
  )
})
