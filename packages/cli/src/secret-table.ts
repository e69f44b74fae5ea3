import type { Secret } from '@portico/wire/operator/partner'
import { table } from './output.ts'

export const secretTable = (secrets: readonly Secret[]): string[] =>
  secrets.length === 0
    ? ['The partner has no secrets. Add one: portico secret add PARTNER']
    : table(
        ['secret', 'begins with', 'added', 'expires', 'last used'],
        secrets.map(({ secretId, hint, createdAt, expiresAt, lastUsedAt }) => [
          secretId,
          hint,
          createdAt,
          expiresAt,
          lastUsedAt ?? 'never',
        ]),
      )
