/** The version 2 request that returns the data of a version 1 endpoint. */
export interface GuideExample {
  /** Notes for the partner besides the address. */
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
    note: `The overview contains the space, the consumption of the space or its flat today, yesterday and this month, its current climate and its devices.`,
  },
  '/spaces/utilities/{spaceId}': {
    note: `One call for each metric type. The response covers the last 24 hours and the current one; version 1 returns only the last full hour.
Hours without data are null (empty in CSV), never 0.`,
    metric: 'electricity',
    line: 'tail -n 2 | head -n 1',
  },
  '/spaces/utilities/{spaceId}/history': {
    note: `\`from\` becomes \`fromDateTime\`, \`to\` becomes \`toDateTime\`. In both versions the start is inclusive, the end is exclusive, and the default is
the last 30 days. A date means midnight in the site's time zone.`,
    metric: 'electricity',
    queryV1: '?from=$FROM&to=$TO',
    queryV2: '?fromDateTime=$FROM&toDateTime=$TO',
  },
  '/spaces/utilities/{spaceId}/monthly': {
    note: `Months are requested from \`/daily\` with \`interval=P1M\`. Version 1 returns the last 12 months by default; version 2 needs \`fromDateTime\`.`,
    metric: 'electricity',
    queryV2: '?interval=P1M&fromDateTime=$SINCE',
  },
  '/spaces/multiSensor/{spaceId}': {
    note: `One call for each metric type, with hourly values, \`min\` and \`max\`; version 1 returns the newest hour with data. The newest reading of every
metric in a single response is in \`environment\` of the overview.`,
    metric: 'temperature',
    line: 'grep -v ,missing, | tail -n 1',
  },
  '/spaces/multiSensor/{spaceId}/history': {
    note: `As for utilities; each day has its mean, \`min\` and \`max\`.`,
    metric: 'temperature',
    queryV1: '?from=$FROM&to=$TO',
    queryV2: '?fromDateTime=$FROM&toDateTime=$TO',
  },
  '/spaces/performance/{spaceId}': {
    note: `The score is the metric type \`performance\`: 50 means like its peers, or on target; 100 means nothing used. With \`interval=P1M\`, a window is a
month; version 1 returns the current one.`,
    metric: 'performance',
    queryV2: '?interval=P1M&fromDateTime=$MONTH',
  },
  '/spaces/utilities/performance/{spaceId}': {
    note: `The call is that of \`/spaces/performance/{spaceId}\`: \`components\` of each window contains the score of each utility. Without \`interval\`, windows are
days.`,
    metric: 'performance',
    queryV2: '?interval=P1M&fromDateTime=$MONTH',
  },
}
