import { accessSync, constants } from 'node:fs'
import { UserFacingError } from '../kernel/errors.ts'
import { getSystemErrorCode } from '../kernel/system-error.ts'

/** Whether the file exists. A file that this user may not use must not be reported as a missing one. */
export function hasStore(file: string): boolean {
  return canAccess(file, constants.R_OK, 'read') && canAccess(file, constants.W_OK, 'write')
}

function canAccess(file: string, mode: number, verb: string): boolean {
  try {
    accessSync(file, mode)
    return true
  } catch (error) {
    const code = getSystemErrorCode(error)
    if (code === 'EACCES' || code === 'EPERM')
      throw new UserFacingError(`cannot ${verb} ${file}: permission denied`)
    if (code === 'EROFS') throw new UserFacingError(`cannot ${verb} ${file}: the disk is read-only`)
    return false
  }
}
