import assert from 'node:assert/strict'
import { chmod, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'

const folder = await makeTempDir()
// Other users must reach what is in it.
await chmod(folder, 0o755)
after(() => rm(folder, { recursive: true, force: true }))

const NOBODY = 65_534
const skipUnlessRoot = process.getuid?.() === 0 ? false : 'only root can run a command as another user'

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

  test('is not reported as missing if this user may not read it', { skip: skipUnlessRoot }, async () => {
    const dataDir = inFolder('private')
    assert.equal((await runPortico(['migrate'], { dataDir })).code, 0)
    const denied = `cannot read ${join(dataDir, 'portico.db')}: permission denied`
    for (const args of [
      ['site', 'list'],
      ['backup', inFolder('copy.db')],
      ['migrate', '--plan'],
    ]) {
      const { code, stderr } = await runPortico(args, { dataDir, uid: NOBODY })
      assert.equal(stderr, `portico: ${denied}\n`)
      assert.equal(code, 1)
    }
    const doctor = await runPortico(['doctor'], { dataDir, uid: NOBODY })
    assert.ok(doctor.stdout.includes(denied), doctor.stdout)
    assert.equal(doctor.code, 1)
    const none = await runPortico(['site', 'list'], { dataDir: inFolder('none') })
    assert.match(none.stderr, /there is no store at .*none\/portico\.db; set its folder with --data\n$/)
  })
})
