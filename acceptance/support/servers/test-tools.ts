import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgres } from './postgres.ts'
import { RUNTIMES_FOLDER, runtimePaths } from './runtimes.ts'

/** A program required by the suite that `npm ci` does not install. */
export interface TestTool {
  what: string
  isThere: () => boolean
  aptPackages: readonly string[]
  /** A folder whose own `npm ci` installs it. */
  npmFolder?: string
}

/** Debian's Python packages belong to this interpreter; another `python3` earlier on PATH does not find them. */
export const systemPython = '/usr/bin/python3'

/** Debian's paths of the browser. The one without windows starts faster and takes less processor time. */
const CHROMIUM_PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
export const findChromium = (): string | undefined => CHROMIUM_PATHS.find((path) => existsSync(path))

/** Debian's path of the broker, which is not on every user's PATH. */
export const mosquittoPath = '/usr/sbin/mosquitto'

/** Debian's path of Redis. */
export const redisPath = '/usr/bin/redis-server'

/** Debian's path of the program that checks Prometheus rules. */
export const promtoolPath = '/usr/bin/promtool'

/** Debian's folder of Go library sources. */
export const debianGoPath = '/usr/share/gocode'

export const testTools = {
  curl: {
    what: 'curl',
    isThere: () => succeeds('curl', ['--version']),
    aptPackages: ['curl', 'ca-certificates'],
  },
  python: {
    what: 'Python MSAL and requests-oauthlib',
    isThere: () => succeeds(systemPython, ['-c', 'import msal, requests_oauthlib']),
    aptPackages: ['python3', 'python3-msal', 'python3-requests-oauthlib'],
  },
  go: {
    what: 'Go and its x/oauth2 library',
    isThere: () =>
      succeeds('go', ['version']) &&
      existsSync(join(debianGoPath, 'src/golang.org/x/oauth2/clientcredentials/clientcredentials.go')),
    aptPackages: ['golang-go', 'golang-golang-x-oauth2-dev'],
  },
  shells: {
    what: 'bash, zsh and fish',
    isThere: () => ['bash', 'zsh', 'fish'].every((shell) => succeeds(shell, ['-c', 'true'])),
    aptPackages: ['bash', 'zsh', 'fish'],
  },
  compiler: {
    what: 'A C compiler',
    isThere: () => succeeds('cc', ['--version']),
    aptPackages: ['gcc', 'libc6-dev'],
  },
  chromium: {
    what: 'Chromium',
    isThere: () => findChromium() !== undefined,
    aptPackages: ['chromium-headless-shell'],
  },
  mosquitto: {
    what: 'Mosquitto and its clients',
    isThere: () => existsSync(mosquittoPath) && succeeds('which', ['mosquitto_pub']),
    aptPackages: ['mosquitto', 'mosquitto-clients'],
  },
  postgres: {
    what: 'PostgreSQL',
    isThere: () => findPostgres() !== undefined,
    aptPackages: ['postgresql'],
  },
  redis: {
    what: 'Redis',
    isThere: () => existsSync(redisPath),
    aptPackages: ['redis-server'],
  },
  prometheus: {
    what: 'Prometheus (promtool)',
    isThere: () => existsSync(promtoolPath),
    aptPackages: ['prometheus'],
  },
  systemd: {
    what: 'systemd-analyze',
    isThere: () => succeeds('systemd-analyze', ['--version']),
    aptPackages: ['systemd'],
  },
  runtimes: {
    what: 'Node 20, Deno and Bun',
    isThere: () => Object.values(runtimePaths).every((path) => succeeds(path, ['--version'])),
    aptPackages: [],
    npmFolder: RUNTIMES_FOLDER,
  },
} satisfies Record<string, TestTool>

export const isContinuousIntegration = process.env['CI'] === 'true'

export function installCommand(tools: readonly TestTool[]): string {
  const packages = tools.flatMap((tool) => tool.aptPackages).join(' ')
  return [
    ...(packages === '' ? [] : [`apt-get update && apt-get install -y --no-install-recommends ${packages}`]),
    ...tools.flatMap(({ npmFolder }) => (npmFolder === undefined ? [] : [`npm ci --prefix ${npmFolder}`])),
  ].join(' && ')
}

export function missingText(tool: TestTool): string {
  return `${tool.what} is not installed. To install it: ${installCommand([tool])}`
}

/**
 * Value of a test's `skip` option. A missing tool skips the test on a developer's machine, with instructions to install
 * it; in continuous integration nothing may be skipped, so the test runs and fails.
 */
export function skipWithout(tool: TestTool): string | false {
  if (isContinuousIntegration || tool.isThere()) return false
  return missingText(tool)
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}
