import { html } from '../pages/html.ts'
import { renderCard } from './document.ts'
import { FLASHES, type FlashCode } from './flash.ts'

interface SignInPage {
  stylePath: string
  flash: FlashCode | undefined
  next: string
  supportContact: string
}

/** Only these report a failure. */
const FAILURES: readonly FlashCode[] = ['wrong', 'limited', 'link']

const renderFlash = (code: FlashCode) =>
  FAILURES.includes(code)
    ? html`<p class="flash" role="alert">${FLASHES[code]}</p>`
    : html`<p class="flash notice" role="status">${FLASHES[code]}</p>`

/** A plain form, so that no script ever touches the secret. */
export const renderSignIn = ({ stylePath, flash, next, supportContact }: SignInPage): string =>
  renderCard(
    'Sign in',
    stylePath,
    html`<h1>Sign in to the console</h1>
<p class="lead">With the credentials of your backend.</p>
${flash === undefined ? '' : renderFlash(flash)}
<form method="post" action="/console/session">
<input type="hidden" name="next" value="${next}">
<label for="client-id">Client ID</label>
<input id="client-id" name="clientId" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus>
<label for="client-secret">Client secret</label>
<input id="client-secret" name="clientSecret" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>
<p class="hint">You stay signed in for 8 hours. Operators can also open a one-time link:
<code>portico console link</code>. Questions? Contact ${supportContact}.</p>`,
  )

/** Browsers store the cookie of a session only over https, or on localhost. */
export const renderNeedsHttps = (stylePath: string, publicUrl: string): string =>
  renderCard(
    'Sign in',
    stylePath,
    html`<h1>The console needs https</h1>
<p>This page was loaded over plain http from another machine, where a session could be read on the way.
Browsers therefore refuse to sign in here.</p>
<p>${
      publicUrl.startsWith('https:')
        ? html`Open <a href="${publicUrl}/console">${publicUrl}/console</a> instead.`
        : html`Operators can start the server with <code>TLS_CERT</code> and <code>TLS_KEY</code>;
<code>portico dev-cert</code> creates a certificate for trying it out. On the machine itself,
<code>http://localhost</code> works as well.`
    }</p>`,
  )

/** The console has not been built. */
export const renderNotBuilt = (stylePath: string): string =>
  renderCard(
    'Console',
    stylePath,
    html`<h1>The console is not built</h1>
<p>Its files are missing from this installation. In a clone of the repository, run:</p>
<p><code>npm ci && npm run build:console</code></p>
<p>Then reload this page. The rest of the server works without it.</p>`,
  )

/** The server is starting, or its store does not respond. */
export const renderUnavailable = (stylePath: string): string =>
  renderCard(
    'Console',
    stylePath,
    html`<h1>The server is not ready</h1>
<p>It is starting, or its database does not respond. This page tries again every five seconds.</p>`,
    html`<meta http-equiv="refresh" content="5">`,
  )
