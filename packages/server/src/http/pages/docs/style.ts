import { html } from '../html.ts'
import { CODE_STYLE } from '../quickstart/style.ts'
import { STACKED_TABLES } from '../style.ts'

/** Pages with a list of the documents beside the text, and the list itself. */
export const DOCS_STYLE = html`${CODE_STYLE}${STACKED_TABLES}
  main { max-width: 72rem; }
  footer { max-width: 72rem; }
  .lead { font-size: 1.15rem; color: var(--quiet); max-width: 44rem; }
  .docs { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 3rem; }
  .contents { position: sticky; top: 1.5rem; align-self: start; font-size: .95rem; }
  .contents p { margin: 0 0 .4rem; color: var(--ink); font-weight: 600; }
  .contents ul + p { margin-top: 1.25rem; }
  .contents ul { list-style: none; margin: 0; padding: 0; border-left: 1px solid var(--line); }
  .contents li { margin: 0; }
  .contents a { display: block; padding: .3rem 0 .3rem 1rem; margin-left: -1px; border-left: 1px solid transparent;
    color: var(--quiet); text-decoration: none; }
  .contents a:hover { color: var(--ink); }
  .contents a[aria-current] { color: var(--accent); border-left-color: var(--accent); font-weight: 600; }
  h2 { margin-top: 3rem; font-size: 1.4rem; }
  h3 { margin: 2rem 0 .5rem; font-size: 1.05rem; }
  h2, h3 { overflow-wrap: anywhere; }
  a.anchor { color: inherit; text-decoration: none; }
  a.anchor:hover::after { content: " #"; color: var(--quiet); }
  .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1rem; list-style: none; margin: 1rem 0 0; padding: 0; }
  .cards li { margin: 0; padding: 1.1rem 1.2rem; border: 1px solid var(--line); border-radius: .6rem; }
  .cards h3 { margin: 0 0 .25rem; font-size: 1.05rem; }
  .cards h3 a { text-decoration: none; }
  .next { margin-top: 3rem; }
  .next + .source { margin-top: 1rem; }
  .cards p { margin: 0; color: var(--quiet); font-size: .95rem; }
  @media (max-width: 56rem) {
    .docs { grid-template-columns: minmax(0, 1fr); gap: 1.5rem; }
    .contents { position: static; order: 1; }
    .contents p, .contents ul + p { margin: .4rem 0 0; font-size: .85rem; color: var(--quiet); }
    .contents ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; border: 0; }
    .contents a, .contents a[aria-current] { padding: .2rem 0; border: 0; }
  }
`

/** A document without that list. */
export const ARTICLE_STYLE = html`${DOCS_STYLE}
  main, footer { max-width: 52rem; }
`
