import { SpaceUtilities } from '@portico/wire/v1/space'
import { windowEdges } from '../../../metric/window.ts'
import { figure, utilitiesOf, windowsOf } from '../metrics.ts'
import { spaceRoute } from '../route.ts'

export const spaceUtilities = spaceRoute(
  {
    summary: 'What a space used in the last full hour',
    description:
      'The newest closed hour of the site’s wall clock, which `timestamp` names by its start: the same figures as that hour of version 2.',
    answer: SpaceUtilities,
  },
  async (call) => {
    const { model, space, now } = call
    const [end = now] = windowEdges(model.zone, 'PT1H', now, now + 1)
    const [start = end] = windowEdges(model.zone, 'PT1H', end - 1, end)
    const [window] = await windowsOf(call, utilitiesOf(model, space), [start, end], figure)
    return { spaceId: space.legacyId, timestamp: model.zone.format(start), ...window?.fields }
  },
)
