/** How to get the data of a version 1 endpoint from version 2. */
export interface GuideExample {
  /** What a partner has to know besides the path. */
  note: string
  /** The {metrictype} in the example; absent if the path has none. */
  metric?: string
  queryV1?: string
  queryV2?: string
  /** Shell command that selects the window of version 1 from the CSV of version 2. */
  line?: string
}

/** Examples for every replaced endpoint of the catalogue, by path. */
export const GUIDE_EXAMPLES: Readonly<Record<string, GuideExample>> = {
  '/spaces/details/{spaceId}': {
    note: `The overview contains the space, its consumption or that of its flat today, yesterday and this month, its current climate and its devices.`,
  },
  '/spaces/utilities/{spaceId}': {
    note: `One call for each metric type returns the last 24 hours and the current hour. Version 1 returns the last complete hour only.
Missing data is null (nothing between the commas), never 0.`,
    metric: 'electricity',
    line: 'tail -n 2 | head -n 1',
  },
  '/spaces/utilities/{spaceId}/history': {
    note: `\`from\` becomes \`fromDateTime\`, \`to\` becomes \`toDateTime\`. In both versions the first is inclusive and the second exclusive, and
without them the last 30 days are returned. A date means midnight in the site's time zone.`,
    metric: 'electricity',
    queryV1: '?from=$FROM&to=$TO',
    queryV2: '?fromDateTime=$FROM&toDateTime=$TO',
  },
  '/spaces/utilities/{spaceId}/monthly': {
    note: `For months, use the daily series with \`interval=P1M\`. Version 1 returns the last 12 months by default; version 2 needs \`fromDateTime\`.`,
    metric: 'electricity',
    queryV2: '?interval=P1M&fromDateTime=$SINCE',
  },
  '/spaces/multiSensor/{spaceId}': {
    note: `One call for each metric type returns hours with \`min\` and \`max\`; version 1 returns the newest hour with data. For the newest readings
of all sensors in one call, use \`environment\` of the overview.`,
    metric: 'temperature',
    line: 'grep -v ,missing, | tail -n 1',
  },
  '/spaces/multiSensor/{spaceId}/history': {
    note: `As for utilities. A day has its mean, \`min\` and \`max\`.`,
    metric: 'temperature',
    queryV1: '?from=$FROM&to=$TO',
    queryV2: '?fromDateTime=$FROM&toDateTime=$TO',
  },
  '/spaces/performance/{spaceId}': {
    note: `The score is the metric type \`performance\`: 50 means as much as the peers (or on target), 100 means no consumption. With
\`interval=P1M\` a window is a month; version 1 returns the current one.`,
    metric: 'performance',
    queryV2: '?interval=P1M&fromDateTime=$MONTH',
  },
  '/spaces/utilities/performance/{spaceId}': {
    note: `Use the same call: \`components\` of each window contains the score of each utility. Without \`interval\`, windows are days.`,
    metric: 'performance',
    queryV2: '?interval=P1M&fromDateTime=$MONTH',
  },
}
