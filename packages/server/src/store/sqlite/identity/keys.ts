import type { DatabaseSync } from 'node:sqlite'
import type { JWK } from 'jose'
import { TOKEN_ALGORITHMS } from '../../../domain/identity/token/token.ts'
import type { SigningKey } from '../../../domain/identity/token/keys.ts'
import type { SigningKeyStore } from '../../../domain/identity/token/store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { integer, integerOrNull, type Row, text } from '../row.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

const fromRow = (row: Row): SigningKey => {
  const algorithm = TOKEN_ALGORITHMS.find((known) => known === row['algorithm'])
  if (!algorithm) throw new Error('Column algorithm holds an unknown algorithm.')
  return {
    kid: text(row, 'kid'),
    algorithm,
    privateKey: text(row, 'private_key'),
    publicJwk: JSON.parse(text(row, 'public_jwk')) as JWK,
    createdAt: integer(row, 'created_at'),
    retiredAt: integerOrNull(row, 'retired_at'),
  }
}

export const sqliteKeys = (reader: () => DatabaseSync, writes: BoundWrites<'keys'>): SigningKeyStore =>
  withWrites<SigningKeyStore, 'keys'>(writes, {
    list: async () =>
      translateErrors(() =>
        prepareOnce(reader(), 'SELECT * FROM signing_keys ORDER BY created_at DESC, kid').all().map(fromRow),
      ),
  })
