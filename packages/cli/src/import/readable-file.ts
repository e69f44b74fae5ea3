import { accessSync, constants, statSync } from 'node:fs'
import { getSystemErrorCode } from '@portico/server/kernel/system-error'
import { OperatorError } from '@portico/server/operator/operator'

/** Throws if a file that a command is to read does not exist, is a folder or may not be read. */
export function requireReadableFile(file: string): void {
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    const code = getSystemErrorCode(error)
    if (code === 'ENOENT') throw new OperatorError(`${file} does not exist`)
    if (code === 'EACCES') throw new OperatorError(`cannot read ${file}: permission denied`)
    throw new OperatorError(`${file} cannot be read`)
  }
  if (statSync(file).isDirectory()) throw new OperatorError(`${file} is a folder`)
}
