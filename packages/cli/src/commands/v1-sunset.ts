import { AppError } from '@portico/server/kernel/errors'
import { findEndpoint, readDate } from '@portico/server/operator/operator'
import { type Command, positional, UsageError } from '../command.ts'

export const command: Command = {
  parameters: 'PATH DATE|--clear',
  positionals: { min: 1, max: 2 },
  options: { clear: { type: 'boolean' } },
  help: { clear: 'Clear the date, so that the endpoint works again.' },
  async run(call) {
    // Accepted with or without the version prefix.
    const path = positional(call, 0).replace(/^\/v1(?=\/)/, '')
    const date = call.positionals[1]
    const isCleared = call.values['clear'] === true
    if (isCleared === (date !== undefined)) throw new UsageError('give a DATE or --clear')
    if (!findEndpoint('GET', path))
      throw new UsageError(
        `${path} is not an endpoint of version 1; use a form such as /spaces/details/{spaceId}`,
      )
    const sunsetAt = date === undefined ? null : readSunset(date)
    await using operator = await call.connect()
    const table = await operator.changeLifecycle([{ method: 'GET', path, sunsetAt }])
    const row = table.find((one) => one.path === path)
    call.out.result(
      row,
      sunsetAt === null
        ? `GET /v1${path} no longer has an end date.`
        : `GET /v1${path} ends on ${row?.sunsetAt} and returns 410 from then on.`,
    )
    return 0
  },
}

/** The date as it was given, if it is one. */
function readSunset(date: string): string {
  try {
    readDate(date, 'DATE')
    return date
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(error.message)
    throw error
  }
}
