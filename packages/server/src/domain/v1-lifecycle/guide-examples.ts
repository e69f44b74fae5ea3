/** The version 2 request that returns the data of a version 1 endpoint. */
export interface GuideExample {
  /** What a partner needs to know besides the address. */
  note: string
  /** The {metrictype} of the example; absent if the path has none. */
  metric?: string
  queryV1?: string
  queryV2?: string
  /** Shell filter that extracts the window that version 1 returned from the CSV. */
  line?: string
}

/** Examples for every replaced endpoint of the catalogue, by path. */
export const GUIDE_EXAMPLES: Readonly<Record<string, GuideExample>> = {
  '/spaces/details/{spaceId}': {
    note: `The overview has the space, what it or its flat used today, yesterday and this month, its climate now and its devices.`,
  },
  '/spaces/utilities/{spaceId}': {
    note: `One call for each metric type, with the last 24 hours and the running one, which version 1 leaves out: its figure is the last full hour.
No data is null (nothing between the commas), never 0.`,
    metric: 'electricity',
    line: 'tail -n 2 | head -n 1',
  },
  '/spaces/utilities/{spaceId}/history': {
    note: `\`from\` is \`fromDateTime\`, \`to\` is \`toDateTime\`; both versions include the first and exclude the second, and answer the last
30 days without them. A date is midnight in the site's zone.`,
    metric: 'electricity',
    queryV1: '?from=$FROM&to=$TO',
    queryV2: '?fromDateTime=$FROM&toDateTime=$TO',
  },
  '/spaces/utilities/{spaceId}/monthly': {
    note: `Months are days with \`interval=P1M\`. Version 1 answers the last 12 months by itself; version 2 wants to be told where to begin.`,
    metric: 'electricity',
    queryV2: '?interval=P1M&fromDateTime=$SINCE',
  },
  '/spaces/multiSensor/{spaceId}': {
    note: `One call for each metric type, by the hour, with \`min\` and \`max\`; version 1 has the newest hour with data. The newest reading of every
sensor at once is in \`environment\` of the overview.`,
    metric: 'temperature',
    line: 'grep -v ,missing, | tail -n 1',
  },
  '/spaces/multiSensor/{spaceId}/history': {
    note: `As for utilities; a day has its mean, \`min\` and \`max\`.`,
    metric: 'temperature',
    queryV1: '?from=$FROM&to=$TO',
    queryV2: '?fromDateTime=$FROM&toDateTime=$TO',
  },
  '/spaces/performance/{spaceId}': {
    note: `The score is the metric type \`performance\`: 50 is as the peers (or on target), 100 used nothing. With
\`interval=P1M\` a window is a month; version 1 has the running one.`,
    metric: 'performance',
    queryV2: '?interval=P1M&fromDateTime=$MONTH',
  },
  '/spaces/utilities/performance/{spaceId}': {
    note: `The same call: \`components\` of each window has the score of each utility. By day without \`interval\`.`,
    metric: 'performance',
    queryV2: '?interval=P1M&fromDateTime=$MONTH',
  },
}
