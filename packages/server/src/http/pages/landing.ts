import type { FastifyInstance } from 'fastify'
import { html } from '../../lib/html.ts'
import type { Services } from '../services.ts'
import { sendPage } from './layout.ts'

export async function landingPage(
  app: FastifyInstance,
  { addresses, supportContact }: Services,
): Promise<void> {
  const { publicUrl, authUrl, baseUrl, operatorUrl } = addresses
  app.get('/', async (_request, reply) =>
    sendPage(
      reply,
      'Partner API',
      html`<h1>Portico</h1>
        <p>The partner API of this installation: devices, spaces, consumption and climate for your backend, and schedules
          for your devices.</p>
        <h2>Get a token</h2>
        <pre><code>curl ${authUrl}/oauth2/v2.0/token \\
  -d grant_type=client_credentials \\
  -d client_id=$CLIENT_ID \\
  -d client_secret=$CLIENT_SECRET \\
  -d scope=api://$CLIENT_ID/.default</code></pre>
        <h2>Call the API</h2>
        <pre><code>curl -H "Authorization: Bearer $TOKEN" ${baseUrl}/sites</code></pre>
        <h2>Addresses</h2>
        <ul>
          <li>auth_url <code>${authUrl}</code></li>
          <li>base_url <code>${baseUrl}</code></li>
          <li>operator API <code>${operatorUrl}</code></li>
          <li>OpenAPI <a href="/openapi/v2.json">version 2</a>, <a href="/openapi/operator.json">operator</a></li>
          <li><a href="/errors">Errors and their remedies</a></li>
        </ul>
        <p>Credentials come from ${supportContact}. This page is served at ${publicUrl}.</p>`,
    ),
  )
}
