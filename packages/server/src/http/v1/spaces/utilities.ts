import { SpaceUtilities } from '@portico/wire/v1/space'
import { toFigure, listUtilities, readWindows } from '../metrics.ts'
import { lastHours } from '../range.ts'
import { spaceRoute } from '../route.ts'

export const spaceUtilities = spaceRoute(
  {
    summary: 'Consumption of a space in the last full hour',
    description:
      'The newest full hour with data among the last 24, in the site’s local time: the same values as in version 2. `timestamp` is the start of the hour, null if there is none.',
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
