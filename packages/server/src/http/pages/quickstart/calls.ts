import { type Html, html } from '../html.ts'
import { codeBlock } from './code-block.ts'
import {
  batchSnippets,
  bringToken,
  controlSnippets,
  eventsSnippets,
  getToken,
  hourlyElectricity,
  LANGUAGES,
  type Language,
  pagesSnippets,
  retrySnippets,
  sitesSnippets,
  spacesSnippets,
  type Snippets,
} from './snippets.ts'

interface Call {
  title: string
  text: Html
  snippets: Snippets
}

const ISSUED: Call = {
  title: 'Get a token',
  text: html`Your backend exchanges its credentials for a token that lasts 60 minutes. There is no refresh token: request a new
    token in the same way. The SDKs do this by themselves.`,
  snippets: getToken,
}

const EXTERNAL_TOKEN: Call = {
  title: 'Use a token of your issuer',
  text: html`This installation accepts access tokens of an external issuer, which your contact can name.`,
  snippets: bringToken,
}

const READ: Call[] = [
  {
    title: 'List your sites',
    text: html`The sites granted to you. Every other call needs one of their <code>siteUuid</code> values in its <code>SiteId</code> header.`,
    snippets: sitesSnippets,
  },
  {
    title: 'List the spaces of a site',
    text: html`Bedrooms, studios, kitchens, plant rooms; here only those whose electricity is measured.`,
    snippets: spacesSnippets,
  },
  {
    title: 'Read the hourly electricity of a space',
    text: html`The last 24 hours in whole hours, unless <code>fromDateTime</code> and <code>toDateTime</code> are given: 25 windows,
      of which the last is the current hour up to now. An hour without data has the value <code>null</code>, never 0.`,
    snippets: hourlyElectricity,
  },
  {
    title: 'Read many series in one request',
    text: html`The electricity and temperature of every space by the day, with the values of single reads. A loop over the spaces
      would soon exceed the rate limit; a <a href="/docs/v2#batch-reads">batch read</a> costs one request, and one more for every 50 series. An
      <a href="/docs/v2#exports">export</a> returns up to a year as NDJSON, CSV or Parquet.`,
    snippets: batchSnippets,
  },
  {
    title: 'Read a long list in pages',
    text: html`With <code>limit</code>, a list comes in pages. Send <code>nextCursor</code> as <code>cursor</code> until it is
      <code>null</code>. The <code>Link</code> header also has the address of the next page. The SDKs request pages while you iterate.`,
    snippets: pagesSnippets,
  },
  {
    title: 'Control a device',
    text: html`Set a radiator valve to 21 °C for half an hour, and wait until it confirms. The response is 202 as soon as the
      command is stored; with an <code>Idempotency-Key</code> it is safe to send again. The field <code>effective</code> of a device shows what it accepts. This needs the role <code>Devices.Control</code>.`,
    snippets: controlSnippets,
  },
  {
    title: 'See what happened',
    text: html`Commands, devices that go offline, closed days and corrections are events in one log per site, numbered without
      gaps. This reads those of the last hour, so the command above is among them. To receive them as they happen, follow the log
      with <code>site.events.follow</code> or <code>follow_events</code>, read <a href="/docs/events">the stream</a>, or
      add a <a href="/docs/webhooks">webhook</a>. This needs the role <code>Events.Read</code>.`,
    snippets: eventsSnippets,
  },
]

const RETRY: Call = {
  title: 'Handle 429 and 401',
  text: html`On 429, wait for the seconds in <code>Retry-After</code>; <code>X-RateLimit-Remaining</code> states how many requests are left. On 401, the token has expired: get a new one, and repeat the request once. The SDKs do both, and retry requests that are safe to retry after other failures.`,
  snippets: retrySnippets,
}

const toHow = (publicUrl: string): Record<Language, Html> => ({
  typescript: html`Install the SDK with <code>npm install ${publicUrl}/clients/portico-sdk.tgz</code>, put the pieces into one file, say
    <code>quickstart.mts</code>, and run it with <code>node quickstart.mts</code> (Node 22.18 or newer).`,
  curl: html`Paste them into a shell one after another.`,
  python: html`Download <a href="/clients/portico.py">portico.py</a>, put the pieces into one file next to it, say
    <code>quickstart.py</code>, and run it with <code>python3 quickstart.py</code>. It needs the standard library only.`,
})

/** The calls from credentials to data, one after another, in the chosen language. */
export const callsSection = (
  isIssuer: boolean,
  publicUrl: string,
): Html => html`<section class="steps" aria-labelledby="calls">
<h2 id="calls">From a token to a working client</h2>
<fieldset class="languages"><legend>Language of the examples</legend>
${Object.entries(LANGUAGES).map(
  ([id, name], index) =>
    html`<input type="radio" name="language" id="${id}"${index === 0 ? html` checked` : ''}><label for="${id}">${name}</label>
`,
)}</fieldset>
${Object.entries(toHow(publicUrl)).map(
  ([id, text]) => html`<p class="how in-${id}">${text}</p>
`,
)}<ol class="calls">${[
  ...(isIssuer ? [ISSUED] : [EXTERNAL_TOKEN]),
  ...READ,
  ...(isIssuer ? [RETRY] : []),
].map(
  ({ title, text, snippets }) => html`
<li><h3>${title}</h3>
<p>${text}</p>
${Object.entries(snippets).map(
  ([id, code]) => html`<div class="in-${id}">${codeBlock(code, `${title}, ${id}`)}</div>
`,
)}</li>`,
)}
</ol>
</section>`
