import { fileURLToPath } from 'node:url'

/** The folder of the runtimes. It is not a workspace, so `npm ci` does not install their 330 MB. */
export const RUNTIMES_FOLDER = 'acceptance/runtimes'

const inFolder = (path: string): string =>
  fileURLToPath(new URL(`../../runtimes/node_modules/${path}`, import.meta.url))

/** Programs on which the SDK runs, besides the Node of this repository. */
export const runtimePaths = {
  node20: inFolder(`node-linux-${process.arch}/bin/node`),
  deno: inFolder(`@deno/linux-${process.arch}-glibc/deno`),
  bun: inFolder(`@oven/bun-linux-${process.arch === 'arm64' ? 'aarch64' : process.arch}/bin/bun`),
}
