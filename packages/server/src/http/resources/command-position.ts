import type { CommandPosition } from '../../domain/control/command/store.ts'

/** As a page cursor contains it. */
export const toPositionText = ({ createdAt, commandUuid }: CommandPosition): string =>
  `${createdAt} ${commandUuid}`

export function parsePosition(text: string | undefined): CommandPosition | undefined {
  const [createdAt, commandUuid] = text?.split(' ') ?? []
  return commandUuid === undefined ? undefined : { createdAt: Number(createdAt), commandUuid }
}
