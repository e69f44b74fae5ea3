import { readFileSync } from 'node:fs'

let version: string | undefined

/** The version of this release: that of the nearest package.json, in a clone and in an installed package. */
export function getVersion(): string {
  version ??= findVersion(new URL('.', import.meta.url))
  return version
}

function findVersion(folder: URL): string {
  try {
    const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as { version: string }
    return manifest.version
  } catch (error) {
    const parent = new URL('..', folder)
    if (parent.href === folder.href) throw new Error('package.json is missing', { cause: error })
    return findVersion(parent)
  }
}
