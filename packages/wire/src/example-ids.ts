/**
 * Identifiers in the examples of the API description. Those of the site and its inventory exist on the demo. Those of
 * commands, events, partners, secrets and webhooks exist nowhere: a demo’s are random, and an example that changes a
 * partner, tried in the API reference, must not change the partner of the demo.
 */
export const EXAMPLE = {
  siteUuid: '5f0c1d0e-6a57-4c1b-9b0e-2f6f3f1c7a10',
  siteId: 41,
  buildingUuid: '7d09206a-24a4-5fa4-982a-5064938a9ab9',
  buildingId: 1002,
  /** A studio. */
  spaceUuid: '57f5ffe1-0f4d-5239-ad95-e55dc80d156b',
  spaceId: 1053,
  /** The studio’s electricity meter. */
  meterUuid: 'b79fde86-a86d-5199-ad77-5d306f711ac8',
  /** The studio’s radiator valve, which accepts every type of command. */
  valveUuid: '50d7c2b1-07e0-5c5e-81a3-87ac37a47dda',
  gatewayUuid: 'c2a8f6d4-1b3e-4f70-8d95-60e7b4a9d213',
  clusterUuid: 'ca2deaeb-2506-5753-ab51-2359e04ed9b3',
  commandUuid: '0c9a3b52-64c1-4f0f-9a0e-7a5f0a1be6d2',
  eventUuid: '0193b2c4-7a1e-7d3f-9c58-e6d0a4b1f279',
  partnerUuid: 'e1b6a5f0-3c2d-4b7a-8f19-5d2c6e7a9b01',
  clientId: '3b8f2a64-91d7-4c5e-b0a2-6f4d1e9c7a35',
  webhookUuid: 'f4a1c7d2-5e83-4b96-a0d7-3c9b8e1f6a42',
  secretId: '8d4c1f7e-2a96-4b3d-9e58-c7b0a1d2f364',
  /** Of no particular list: servers sign cursors, so this one is never valid. */
  cursor: 'B2GOi414MZjI06wjNTVxa1siQ29tbW9uIHJvb20iXQ',
  idempotencyKey: 'heating-2026-11-16-s001',
  traceId: 'b6f3d1a2-7c48-4e95-8a0b-2d9e5f6c3174',
} as const
