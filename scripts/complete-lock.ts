import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Adds to package-lock.json the optional binary packages of other platforms that npm left out. npm forgets those that
 * the registry in use does not carry (a mirror of one platform, say), and `npm ci` then refuses the file everywhere.
 * Run after changing dependencies: `npm run lock`.
 */
interface Entry {
  version?: string
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

const FILE = new URL('../package-lock.json', import.meta.url)

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

/** Exact and in the name of a platform: what binary packages are called and how they are asked for. */
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

if (import.meta.main) {
  const lock = JSON.parse(readFileSync(FILE, 'utf8')) as Lock
  for (const [path, entry] of missingEntries(lock)) lock.packages[path] = entry
  const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
}
