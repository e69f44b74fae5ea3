import { stringValue, UsageError, type Values } from '../command.ts'

/** The value of an option, one of a list; undefined if it is absent. */
export function readChoice<const T extends string>(
  values: Values,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = stringValue(values, name)
  if (text === undefined) return undefined
  const choice = choices.find((one) => one === text)
  if (choice === undefined)
    throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}`)
  return choice
}

/** The value of an option that is a date such as 2026-11-14. */
export function readDate(values: Values, name: string): Temporal.PlainDate {
  const text = stringValue(values, name)
  if (text === undefined) throw new UsageError(`--${name} is required, such as --${name} 2026-11-14`)
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.PlainDate.from(text)
  } catch {
    // Such as 2026-02-30.
  }
  throw new UsageError(`--${name} must be a date such as 2026-11-14, not ${JSON.stringify(text)}`)
}
