import assert from 'node:assert/strict'
import { addClient, applyInventory, type Installation } from '../servers/installation.ts'
import type { Account } from '../clients/mqtt.ts'
import { addGateway } from '../fixtures/mqtt-site.ts'
import { mqttChannel } from '../clients/mqtt-channel.ts'
import { tokenFor } from '../clients/requests.ts'
import { type V2Client, v2Client } from '../clients/v2-client.ts'
import { ingestChannels } from '../clients/ingest-channels.ts'
import { deliver } from './deliver.ts'
import { listAddresses, verifyAll, verifySample } from './verify.ts'
import type { SeriesOfDevice } from './oracle.ts'
import { type Random, randomFrom } from './random.ts'
import { type Arrival, seriesAfter, type Scenario } from './scenario.ts'

/** A scenario, as far as it has been delivered to a server. */
export interface ScenarioRun {
  world: Scenario
  credentials: { clientId: string; clientSecret: string }
  gateway: Account
  arrivals: Arrival[]
  random: Random
}

/** Creates the site with its moves, and a partner that may read it. */
export async function startScenario(installation: Installation, world: Scenario): Promise<ScenarioRun> {
  for (const document of world.documents) await applyInventory(installation, document)
  const { partner } = await addClient(installation, [world.siteUuid])
  const { username, password } = await addGateway(installation, world.siteUuid)
  return {
    world,
    credentials: partner,
    gateway: { username, password },
    arrivals: [],
    random: randomFrom(world.recipe.arrival.seed),
  }
}

/** Delivers the batches up to `end`, and verifies a sample after each. */
export async function deliverUntil(
  installation: Installation,
  scenario: ScenarioRun,
  end: number,
): Promise<void> {
  const { world, arrivals, random } = scenario
  const ways = [...ingestChannels(installation), mqttChannel(installation, world.siteUuid, scenario.gateway)]
  for (const batch of world.batches.slice(0, end)) {
    const way = ways[batch.way % ways.length]
    assert.ok(way)
    await deliver(way, batch.arrivals, arrivals, random)
    arrivals.push(...batch.arrivals)
    const place = { client: await createClient(installation, scenario), timeZone: world.timeZone }
    await verifySample(place, world, listSeries(scenario), random)
  }
  world.batches.splice(0, end)
}

/** Compares every series with what has arrived. */
export async function verify(installation: Installation, scenario: ScenarioRun): Promise<void> {
  const { world, random } = scenario
  const place = { client: await createClient(installation, scenario), timeZone: world.timeZone }
  await verifyAll(place, world, listSeries(scenario), random)
}

/** The ETag and body of every response. */
export async function readResponses(
  installation: Installation,
  scenario: ScenarioRun,
): Promise<{ address: string; tag: string; text: string }[]> {
  const client = await createClient(installation, scenario)
  const answers = []
  for (const address of listAddresses(scenario.world, listSeries(scenario))) {
    const { status, headers, text } = await client.send(address)
    assert.equal(status, 200, text)
    answers.push({ address, tag: headers.get('etag') ?? '', text })
  }
  return answers
}

/** Asserts that a request with the current ETag returns no body. */
export async function assertNotModified(
  installation: Installation,
  scenario: ScenarioRun,
  answers: { address: string; tag: string }[],
): Promise<void> {
  const client = await createClient(installation, scenario)
  for (const { address, tag } of answers) {
    assert.notEqual(tag, '', address)
    const { status } = await client.send(address, { headers: { 'if-none-match': tag } })
    assert.equal(status, 304, address)
  }
}

const listSeries = ({ world, arrivals }: ScenarioRun): SeriesOfDevice[] => seriesAfter(world, arrivals)

async function createClient(
  { portico }: Installation,
  { world, credentials }: ScenarioRun,
): Promise<V2Client> {
  const token = await tokenFor(portico, credentials.clientId, credentials.clientSecret)
  return v2Client(portico, token, world.siteUuid)
}
