import { pbkdf2Sync } from 'node:crypto'
import { newSalt } from '../../../kernel/ids.ts'

/** The default of mosquitto_passwd. The password is 256 random bits, so more iterations would add no security. */
const ITERATIONS = 101
const SALT_BYTES = 12
const HASH_BYTES = 64

/** A password hash in the format of Mosquitto 2's password file: PBKDF2 with SHA-512. */
export function mosquittoHash(password: string): string {
  const salt = newSalt(SALT_BYTES)
  const hash = pbkdf2Sync(password, salt, ITERATIONS, HASH_BYTES, 'sha512')
  return `$7$${ITERATIONS}$${Buffer.from(salt).toString('base64')}$${hash.toString('base64')}`
}
