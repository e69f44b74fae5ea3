import { pbkdf2Sync } from 'node:crypto'
import { newSalt } from '../../../kernel/ids.ts'

/** What mosquitto_passwd uses; the password is 256 random bits, so more rounds would guard nothing. */
const ITERATIONS = 101
const SALT_BYTES = 12
const HASH_BYTES = 64

/** A password as Mosquitto 2 keeps it in its password file: PBKDF2 over SHA-512. */
export function mosquittoHash(password: string): string {
  const salt = newSalt(SALT_BYTES)
  const hash = pbkdf2Sync(password, salt, ITERATIONS, HASH_BYTES, 'sha512')
  return `$7$${ITERATIONS}$${Buffer.from(salt).toString('base64')}$${hash.toString('base64')}`
}
