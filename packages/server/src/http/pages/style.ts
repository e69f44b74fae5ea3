import { html } from './html.ts'

/** Colours and navigation bar of every page, light or dark by the system's preference. */
export const FRAME_STYLE = html`
  :root { color-scheme: light dark;
    --paper: light-dark(#fff, #11161b); --raised: light-dark(#f5f8f7, #181f25); --line: light-dark(#dce4e1, #2a343c);
    --ink: light-dark(#182420, #e6edea); --quiet: light-dark(#55645e, #9cabab);
    --accent: light-dark(#0b6b58, #63d2b8); --on-accent: light-dark(#fff, #08251f);
    --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
  .bar { box-sizing: border-box; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; min-height: 3.5rem;
    padding: .5rem 1.5rem; border-bottom: 1px solid var(--line); font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
  .bar a { color: var(--quiet); text-decoration: none; font-size: .95rem; }
  .bar a:hover, .bar a[aria-current] { color: var(--ink); }
  .bar .home { display: flex; align-items: center; gap: .6rem; color: var(--ink); font-weight: 650; font-size: 1.05rem; }
  .bar .home svg { color: var(--accent); }
  .bar nav { display: flex; gap: 1.25rem; margin-left: auto; }
  .bar nav a { white-space: nowrap; padding: .25rem 0; }
  @media (max-width: 54rem) {
    .bar { flex-direction: column; flex-wrap: nowrap; align-items: stretch; gap: .1rem; padding: .5rem 1rem .25rem; }
    .bar nav { flex-wrap: wrap; gap: 0 1.1rem; margin: 0; }
    .bar nav a { padding: .35rem 0; }
  }
`

/** Typography of text pages. */
export const STYLE = html`${FRAME_STYLE}
  * { box-sizing: border-box; }
  html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
  body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
  a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .06em; }
  a:hover { text-decoration-thickness: .12em; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }

  main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.5rem 2rem; }
  h1 { font-size: clamp(1.7rem, 1.3rem + 2vw, 2.3rem); line-height: 1.2; letter-spacing: -.015em; margin: 0 0 1rem;
    text-wrap: balance; }
  h2 { font-size: 1.2rem; line-height: 1.35; letter-spacing: -.005em; margin: 2.5rem 0 .5rem; }
  p { margin: 0 0 1rem; text-wrap: pretty; }
  li { margin: .3rem 0; }
  code { font: .875em var(--mono); background: var(--raised); padding: .15em .35em; border-radius: .3em; overflow-wrap: anywhere; }
  pre { overflow-x: auto; margin: 0; padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: .6rem;
    background: var(--raised); line-height: 1.55; tab-size: 2; }
  pre code { padding: 0; background: none; overflow-wrap: normal; }
  .table { overflow-x: auto; margin: 0 0 1.25rem; }
  table { border-collapse: collapse; width: 100%; font-size: .95rem; }
  th, td { text-align: left; vertical-align: top; padding: .55rem 1rem .55rem 0; border-bottom: 1px solid var(--line); }
  th { color: var(--quiet); font-weight: 500; white-space: nowrap; }
  td { min-width: 7rem; }
  td code { overflow-wrap: break-word; }
  .source { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .9rem; }
  .kicker { color: var(--quiet); margin: 0 0 .5rem; }
  footer { max-width: 44rem; margin: 0 auto; padding: 1.25rem 1.5rem 3rem; color: var(--quiet); font-size: .9rem; }
  @media (max-width: 30rem) {
    main, footer { padding-left: 1rem; padding-right: 1rem; }
    main { padding-top: 2rem; }
  }
`

/** On a phone, the cells of a table row are one below another. */
export const STACKED_TABLES = html`
  @media (max-width: 48rem) {
    thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--line); }
    td { display: block; padding: .15rem 0; border: 0; }
    td code { overflow-wrap: anywhere; }
    td + td { padding-left: 1rem; }
    td:empty { display: none; }
    td[data-label]::before { content: attr(data-label) ": "; color: var(--quiet); }
  }
`
