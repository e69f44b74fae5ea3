import type { DatabaseSync } from 'node:sqlite'
import { DamagedData, describeDamage } from '../damage.ts'
import type { DamagedRow } from '../store.ts'

export type DamageListener = (row: DamagedRow) => void

const listeners = new WeakMap<DatabaseSync, DamageListener>()

export const listenForDamage = (db: DatabaseSync, listener: DamageListener): void =>
  void listeners.set(db, listener)

export const reportDamage = (db: DatabaseSync, row: DamagedRow): void => listeners.get(db)?.(row)

/** Reports a row and throws. */
export function failDamaged(db: DatabaseSync, row: DamagedRow): never {
  reportDamage(db, row)
  throw new DamagedData(describeDamage(row), row)
}
