import { type Html, html } from '../html.ts'
import { LANGUAGES } from './snippets.ts'

/** Shows the snippets of the chosen language; radio buttons, so that it works without JavaScript. */
const CHOICES = Object.keys(LANGUAGES).map(
  (id): Html => html`
  .steps:not(:has(#${id}:checked)) .in-${id} { display: none; }`,
)

/** Code with a copy button. */
export const CODE_STYLE = html`
  .block { position: relative; margin: .75rem 0 1.25rem; }
  .block pre { padding-right: 5rem; }
  .block i { font-style: normal; }
  .string { color: light-dark(#0a5c8f, #8ecbf2); }
  .word { color: light-dark(#8a3b86, #dba3d8); }
  .copy { font: 500 .8rem/1 system-ui, sans-serif; padding: .4rem .6rem; cursor: pointer; color: var(--quiet);
    background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; }
  .copy:hover { color: var(--ink); border-color: var(--quiet); }
  .block .copy { position: absolute; top: .6rem; right: .6rem; }
  @media (max-width: 40rem) { .block pre { padding: .9rem; padding-top: 3rem; font-size: .9rem; } }
`

export const QUICKSTART_STYLE = html`
  main, footer { max-width: 52rem; }
  .lead { font-size: 1.15rem; color: var(--quiet); max-width: 40rem; }
  h2 { margin-top: 3rem; font-size: 1.4rem; }
  h3 { font-size: 1.05rem; margin: 0 0 .25rem; }
${CODE_STYLE}
  .languages { display: flex; align-items: center; gap: .25rem; position: sticky; top: 0; z-index: 1; margin: 0; padding: .75rem 0;
    border: 0; background: var(--paper); }
  .languages legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .languages input { position: absolute; opacity: 0; }
  .languages label { padding: .35rem .9rem; border: 1px solid transparent; border-radius: 2rem; color: var(--quiet); cursor: pointer;
    font-size: .95rem; }
  .languages label:hover { color: var(--ink); }
  .languages input:checked + label { color: var(--on-accent); background: var(--accent); }
  .languages input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 2px; }${CHOICES}

  .how { color: var(--quiet); margin-bottom: 1.75rem; }
  ol.calls { list-style: none; margin: .5rem 0 0; padding: 0; counter-reset: call; }
  ol.calls > li { position: relative; margin: 0; padding: 0 0 .75rem 3rem; counter-increment: call; }
  ol.calls > li::before { content: counter(call); position: absolute; left: 0; top: -.15rem; width: 1.9rem; height: 1.9rem; border-radius: 50%;
    border: 1px solid var(--line); background: var(--raised); color: var(--accent); font: 600 .9rem/1.85rem system-ui, sans-serif;
    text-align: center; }
  ol.calls > li:not(:last-child)::after { content: ""; position: absolute; left: .95rem; top: 2.1rem; bottom: .4rem;
    border-left: 1px solid var(--line); }
  ol.calls p { margin: 0; }

  .addresses { display: grid; grid-template-columns: max-content 1fr max-content; gap: 0 1.25rem; margin: 1rem 0 0; border-top: 1px solid var(--line); }
  .addresses > div { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; align-items: center; padding: .6rem 0;
    border-bottom: 1px solid var(--line); }
  .addresses dt { color: var(--quiet); }
  .addresses dd { margin: 0; display: contents; }
  .addresses code { background: none; padding: 0; }

  .next { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem; list-style: none; margin: 1rem 0 0; padding: 0; }
  .next li { margin: 0; padding: 1.1rem 1.2rem; border: 1px solid var(--line); border-radius: .6rem; }
  .next h3 a { text-decoration: none; }
  .next p { margin: 0; color: var(--quiet); font-size: .95rem; }

  @media (max-width: 40rem) {
    ol.calls > li { padding-left: 0; }
    ol.calls > li > h3 { padding-left: 2.6rem; margin-bottom: .6rem; }
    ol.calls > li::after { display: none; }
    .addresses { grid-template-columns: 1fr max-content; }
    .addresses dt { grid-column: 1 / -1; font-size: .9rem; }
  }
`
