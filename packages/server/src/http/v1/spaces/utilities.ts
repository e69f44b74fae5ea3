import { SpaceUtilities } from '@portico/wire/v1/space'
import { toFigure, listUtilities, readWindows } from '../metrics.ts'
import { lastHours } from '../range.ts'
import { spaceRoute } from '../route.ts'

export const spaceUtilities = spaceRoute(
  {
    summary: 'What a space used in the last full hour',
    description:
      'The newest full hour of the site’s wall clock that has data, of the last 24, which `timestamp` names by its start (null when there is none): the same figures as that hour of version 2.',
    answer: SpaceUtilities,
  },
  async (call) => {
    const { model, space, now } = call
    const full = lastHours(call).endingBy(now)
    const windows = await readWindows(call, listUtilities(model, space, 'now'), full, toFigure)
    const newest = windows.findLast(({ fields }) => Object.values(fields).some(({ value }) => value !== null))
    return {
      spaceId: space.legacyId,
      timestamp: newest ? model.zone.format(newest.at) : null,
      ...(newest ?? windows.at(-1))?.fields,
    }
  },
)
