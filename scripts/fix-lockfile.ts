import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Adds to each package-lock.json the optional binary packages of other platforms that npm omitted. npm drops those that the
 * registry in use does not have (a mirror of one platform, for example), and `npm ci` then rejects the file on every
 * platform. Also requests the missing hash of each entry from the registry. Run it after changing dependencies: `npm
 * run lock`.
 */
export interface Entry {
  version?: string
  integrity?: string
  /** A workspace or another folder of this repository. */
  link?: boolean
  hasInstallScript?: boolean
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

export interface Lock {
  packages: Record<string, Entry>
}

const FILES = ['../package-lock.json', '../acceptance/runtimes/package-lock.json'].map(
  (path) => new URL(path, import.meta.url),
)

const OS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'win32',
  'openharmony',
  'netbsd',
  'openbsd',
  'sunos',
  'aix',
]
const CPU = ['arm64', 'arm', 'ia32', 'x64', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el']

/** An exact version and a platform in the name: the convention for binary packages. */
export function missingEntries({ packages }: Lock): [path: string, entry: Entry][] {
  const found: [string, Entry][] = []
  for (const [parent, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`
      if (packages[path] || packages[`${parent}/${path}`]) continue
      const parts = name.split(/[/-]/)
      const os = OS.filter((known) => parts.includes(known))
      const cpu = CPU.filter((known) => parts.includes(known))
      found.push([
        path,
        {
          version,
          ...(cpu.length > 0 ? { cpu } : {}),
          ...(entry.dev ? { dev: true } : {}),
          ...(parts.some((part) => part.startsWith('musl')) ? { libc: ['musl'] } : {}),
          optional: true,
          ...(os.length > 0 ? { os } : {}),
        },
      ])
    }
  }
  return found
}

/** Entries of registry packages without a hash, whose content npm cannot verify. */
export const entriesWithoutHash = ({ packages }: Lock): [path: string, entry: Entry][] =>
  Object.entries(packages).filter(
    ([path, { link, integrity }]) =>
      path.includes('node_modules/') && link !== true && integrity === undefined,
  )

/** In the order in which npm writes them, so that `npm prune` does not change the file. */
export const sortEntries = ({ packages }: Lock): [path: string, entry: Entry][] =>
  Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'))

function loadHash(name: string, version: string): string | undefined {
  const { stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return /^sha512-\S+/.exec(stdout)?.[0]
}

function fix(file: URL): void {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock
  for (const [path, entry] of missingEntries(lock)) lock.packages[path] = entry
  for (const [path, entry] of entriesWithoutHash(lock)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const integrity = loadHash(name, entry.version ?? '')
    if (integrity === undefined)
      console.error(`${name}@${entry.version ?? ''}: the registry has no hash for this package`)
    else lock.packages[path] = { ...entry, integrity }
  }
  const packages = Object.fromEntries(sortEntries(lock))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
}

if (import.meta.main) for (const file of FILES) fix(file)
