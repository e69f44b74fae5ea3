import { TOPIC_ROOT, type TopicKind, TOPICS } from '@portico/wire/mqtt/topics'
import { isUuid } from '../kernel/ids.ts'

export type { TopicKind } from '@portico/wire/mqtt/topics'

/** The parsed parts of a device topic. */
export interface Topic {
  kind: TopicKind
  siteUuid: string
  /** The device, or for presence also a gateway. */
  senderUuid: string
  commandUuid?: string
}

/** Only lower case is accepted: otherwise one device would have many topics, each with its own retained message. */
const isCanonicalUuid = (text: string): boolean => isUuid(text) && text === text.toLowerCase()

/** Whether a topic would be valid if its UUIDs were in lower case. */
export const isNonCanonical = (topic: string): boolean =>
  parseTopic(topic) === undefined && parseTopic(topic.toLowerCase()) !== undefined

/** The parts of a topic, or undefined if it is not a device topic. UUIDs must be in lower case. */
export function parseTopic(topic: string): Topic | undefined {
  const [root, version, ...ids] = topic.split('/')
  if (`${root}/${version}` !== TOPIC_ROOT) return undefined
  const [siteUuid = '', senderUuid = '', word, commandUuid, last, ...more] = ids
  if (!isCanonicalUuid(siteUuid) || !isCanonicalUuid(senderUuid) || more.length > 0) return undefined
  const unit = { siteUuid, senderUuid }
  if (commandUuid === undefined) {
    return word === 'readings' || word === 'presence' || word === 'commands'
      ? { kind: word, ...unit }
      : undefined
  }
  if (word !== 'commands' || last !== 'status' || !isCanonicalUuid(commandUuid)) return undefined
  return { kind: 'commandStatus', ...unit, commandUuid }
}

export const toTopic = (
  kind: 'readings' | 'presence' | 'commands',
  siteUuid: string,
  senderUuid: string,
): string => `${TOPIC_ROOT}/${siteUuid}/${senderUuid}/${kind}`

/** The topic on which a device reports the status of a command. */
export const toStatusTopic = (siteUuid: string, deviceUuid: string, commandUuid: string): string =>
  `${toTopic('commands', siteUuid, deviceUuid)}/${commandUuid}/status`

/** The filter that matches a kind on every site, for an external broker. */
export const toSubscriptionFilter = (kind: TopicKind): string =>
  TOPICS[kind].pattern.replaceAll(/\{\w+\}/g, '+')

/** The kinds that devices publish and the server receives. */
export const DEVICE_TOPIC_KINDS: readonly TopicKind[] = (Object.keys(TOPICS) as TopicKind[]).filter(
  (kind) => TOPICS[kind].from === 'device',
)

/** Whether a topic, or a filter with wildcards, stays inside one site. */
export function belongsToSite(topicOrFilter: string, siteUuid: string): boolean {
  const [root, version, site, ...rest] = topicOrFilter.split('/')
  return `${root}/${version}` === TOPIC_ROOT && site === siteUuid && rest.length > 0
}

/** Whether a subscription filter matches a topic. */
export function matches(filter: string, topic: string): boolean {
  const [wanted, given] = [filter.split('/'), topic.split('/')]
  for (const [index, part] of wanted.entries()) {
    if (part === '#') return true
    if (index >= given.length || (part !== '+' && part !== given[index])) return false
  }
  return wanted.length === given.length
}
