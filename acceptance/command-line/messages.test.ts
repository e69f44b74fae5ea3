import assert from 'node:assert/strict'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'

const folder = await makeTempDir()
after(() => rm(folder, { recursive: true, force: true }))

const inFolder = (name: string): string => join(folder, name)

describe('a data folder that cannot be used', () => {
  test('is reported immediately if it does not exist and cannot be created', async () => {
    await symlink(inFolder('nothing'), inFolder('link'))
    for (const dataDir of [...(process.platform === 'linux' ? ['/proc/x'] : []), inFolder('link')])
      for (const args of [
        ['serve', '--port', '0', '--mqtt-port', '0'],
        ['partner', 'add', '--name', 'X'],
      ]) {
        const { code, stderr } = await runPortico(args, { dataDir, timeoutMs: 30_000 })
        assert.equal(stderr, `portico: cannot use ${dataDir}: it does not exist and cannot be created\n`)
        assert.equal(code, 1)
      }
  })
})
