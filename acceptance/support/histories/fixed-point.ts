/** Amounts are integers in units of 10^-12, so that sums and shares are exact far below the precision shown. */
const decimals = 12
const unit = 10n ** BigInt(decimals)

export function toExact(value: number): bigint {
  return BigInt(value.toFixed(decimals).replace('.', ''))
}

export function fromExact(amount: bigint): number {
  return Number(amount / unit) + Number(amount % unit) / Number(unit)
}

/** The share `part / whole` of an amount. */
export function takeShare(amount: bigint, part: number, whole: number): bigint {
  return (amount * BigInt(part)) / BigInt(whole)
}
