import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { eventually } from './support/eventually.ts'
import { findFreePort } from './support/servers/free-port.ts'
import { runPortico } from './support/servers/portico.ts'
import { skipWithout, testTools } from './support/servers/test-tools.ts'

const ROOT = join(import.meta.dirname, '..')
const DEPLOY = join(ROOT, 'deploy')
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8')

const folder = await mkdtemp(join(tmpdir(), 'portico-deploy-'))
after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

describe('the systemd unit', { skip: skipWithout(testTools.systemd) }, () => {
  test('is valid and confines the service', async () => {
    const unit = read('portico.service')
    assert.match(unit, /^ExecStart=\/opt\/portico\/node_modules\/\.bin\/portico serve$/m)
    const file = join(folder, 'portico.service')
    await writeFile(file, unit.replaceAll('/opt/portico', ROOT))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.equal(`${stdout}${stderr}`, '')
    // Exits with 1 if the exposure, times ten, is above the threshold.
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', '--no-pager', file], {
      stdio: 'pipe',
    })
  })
})

/** What a stage contains before its RUN instructions: the files of each COPY, without those that are ignored. */
async function copyContext(stage: string, app: string): Promise<void> {
  const ignored = read('Dockerfile.dockerignore').trim().split('\n')
  const isIgnored = (path: string): boolean =>
    ignored.some((pattern) => path.split('/').includes(pattern.replace('**/', '')))
  for (const [, list = ''] of stage.matchAll(/^COPY (?!--)(.*)$/gm)) {
    const names = list.split(' ')
    const target = join(app, names.pop() ?? '')
    for (const name of names) {
      const source = join(ROOT, name)
      const isFolder = (await stat(source)).isDirectory()
      const to = isFolder ? target : join(target, name.split('/').at(-1) ?? '')
      await mkdir(dirname(to), { recursive: true })
      await cp(source, to, {
        recursive: true,
        filter: (path) => !isIgnored(path.slice(ROOT.length + 1)),
      })
    }
  }
}

describe('the container image', () => {
  const dockerfile = read('Dockerfile')

  test('its instructions, run without an engine, give a server for an unprivileged user', async () => {
    const [, buildStage = '', serverStage = ''] = dockerfile.split(/^FROM /m)
    const built = join(folder, 'build')
    await mkdir(built)
    await copyContext(buildStage, built)
    // What its `npm ci` would install.
    await symlink(join(ROOT, 'node_modules'), join(built, 'node_modules'))
    const [, build = ''] = /^RUN npm ci --ignore-scripts .*?&& (.*)$/m.exec(buildStage) ?? []
    execFileSync('sh', ['-c', build], { cwd: built, stdio: 'pipe' })
    const app = join(folder, 'app')
    await mkdir(app)
    await copyContext(serverStage, app)
    for (const [, from = '', to = ''] of serverStage.matchAll(/^COPY --from=build \/app\/(\S+) (\S+)$/gm))
      await cp(join(built, from), join(app, to), { recursive: true })
    const [, install = ''] = /^RUN (npm ci [^&]*)/m.exec(serverStage) ?? []
    const env = { ...process.env, NODE_ENV: 'production' }
    // The user's own cache: the packages are there after `npm ci` of this folder.
    execFileSync('sh', ['-c', `${install} --prefer-offline`], { cwd: app, env, stdio: 'pipe' })
    assert.ok(!existsSync(join(app, 'node_modules/typescript')))
    const data = join(folder, 'data')
    await mkdir(data)
    await chmod(folder, 0o755)
    const isRoot = process.getuid?.() === 0
    const user = isRoot ? { uid: 65_534, gid: 65_534 } : {}
    if (isRoot) await chown(data, 65_534, 65_534)
    const [, entry = ''] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? []
    const [, program = ''] = JSON.parse(entry) as string[]
    const port = String(await findFreePort())
    const server = spawn(process.execPath, [program, 'serve', '--port', port, '--mqtt-port', '0'], {
      cwd: app,
      env: { PATH: '/usr/bin:/bin', NODE_ENV: 'production', DATA_DIR: data, METRICS_PORT: 'off' },
      stdio: 'ignore',
      ...user,
    })
    const ended = new Promise<number | null>((resolve) => server.once('exit', resolve))
    const [, check = ''] = /^HEALTHCHECK .*CMD (.*)$/m.exec(dockerfile) ?? []
    const [, ...args] = JSON.parse(check) as string[]
    const probe = args.map((arg) => arg.replace('8080', port))
    await eventually(async () => assert.equal(spawnSync(process.execPath, probe).status, 0))
    assert.match(await (await fetch(`http://localhost:${port}/console`)).text(), /Sign in to the console/)
    assert.ok(existsSync(join(app, 'packages/console/dist/manifest.json')))
    assert.equal((await fetch(`http://localhost:${port}/clients/portico-sdk.tgz`)).status, 200)
    server.kill('SIGTERM')
    assert.equal(await ended, 0)
    assert.equal((await stat(join(data, 'portico.db'))).mode & 0o077, 0)
  })
})

describe('compose files', () => {
  const settings = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
  for (const name of globSync('compose*.yaml', { cwd: DEPLOY })) {
    test(`${name} sets existing settings and mounts existing files`, () => {
      const text = read(name)
      // Settings of PostgreSQL's image begin with POSTGRES_ or PG.
      for (const [, setting = ''] of text.matchAll(/^ {4}(?: {2})?([A-Z][A-Z_]+): /gm))
        if (!/^(POSTGRES_|PG)/.test(setting)) assert.ok(settings.includes(`\`${setting}\``), setting)
      for (const [, file = ''] of text.matchAll(/[" ]\.\/([\w.-]+):/g))
        assert.ok(existsSync(join(DEPLOY, file)), file)
    })
  }

  test('compose.yaml runs the commands of a first start in an order that works', async () => {
    const services = readServices(read('compose.yaml'))
    const accounts = join(folder, 'accounts')
    const done = new Set<string>()
    /** Runs what a service depends on, and then the service, if it is a command of Portico. */
    const start = async (name: string): Promise<void> => {
      if (done.has(name)) return
      done.add(name)
      const { command, dependencies } = services.get(name) ?? assert.fail(`no service ${name}`)
      for (const dependency of dependencies) await start(dependency)
      if (!command) return
      const args = command.map((word) => word.replace('/accounts', accounts))
      const env = { MQTT_URL: 'mqtt://portico:a-password@mosquitto' }
      const { code, stderr } = await runPortico(args, { dataDir: join(folder, 'first-start'), env })
      assert.equal(code, 0, `${name}: ${stderr}`)
    }
    await mkdir(accounts)
    await start('portico')
    assert.ok(done.has('accounts') && existsSync(join(accounts, 'files/passwords')))
  })
})

interface Service {
  /** The command of a service that runs Portico's image, except the server. */
  command: string[] | undefined
  dependencies: string[]
}

function readServices(compose: string): Map<string, Service> {
  const [, text = ''] = /^services:\n(.*?)^\S/ms.exec(compose) ?? []
  const blocks = text.matchAll(/^ {2}([\w-]+):\n((?: {4}.*\n|\n)+)/gm)
  return new Map(
    [...blocks].map(([, name = '', block = '']) => {
      const [, command] = /^ {4}command: (.*)$/m.exec(block) ?? []
      const isPortico = block.includes('<<: *portico')
      return [
        name,
        {
          command: isPortico && command !== undefined ? (JSON.parse(command) as string[]) : undefined,
          dependencies: [...block.matchAll(/^ {6}([\w-]+): \{ condition/gm)].map(([, other = '']) => other),
        },
      ]
    }),
  )
}
