import { html } from '../pages/html.ts'
import { STYLE } from '../pages/style.ts'

/**
 * Style of the pages that are shown without the console's script. It is a file because the console allows no inline
 * styles.
 */
export const CONSOLE_STYLE = html`${STYLE}
  body { display: flex; flex-direction: column; min-height: 100vh; min-height: 100dvh; }
  main { flex: 1; display: flex; align-items: flex-start; justify-content: center; width: 100%; max-width: none;
    padding: clamp(1.5rem, 9vh, 6rem) 1rem 3rem; }
  .card { width: 100%; max-width: 25rem; padding: 2rem; border: 1px solid var(--line); border-radius: 1rem;
    background: var(--raised); box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 12px 32px -12px rgb(0 0 0 / .14); }
  .card h1 { font-size: 1.45rem; margin: 0 0 .35rem; }
  .card .lead { color: var(--quiet); margin: 0 0 1.5rem; font-size: .95rem; }
  .card label { display: block; margin: 0 0 .35rem; font-weight: 550; font-size: .95rem; }
  .card input { display: block; width: 100%; margin: 0 0 1.1rem; padding: .65rem .8rem; border-radius: .5rem;
    border: 1px solid light-dark(#84928d, #5f6f78); background: var(--paper); color: var(--ink); font: 1rem var(--mono); }
  .card input:focus-visible { outline-offset: 1px; border-radius: .5rem; }
  .card button { width: 100%; margin-top: .4rem; padding: .7rem 1rem; border: 0; border-radius: .5rem; cursor: pointer;
    background: var(--accent); color: var(--on-accent); font: 600 1rem system-ui, sans-serif; }
  .card button:hover { filter: brightness(1.08); }
  .card .flash { margin: 0 0 1.25rem; padding: .65rem .85rem; border-radius: .5rem; font-size: .95rem;
    border: 1px solid light-dark(#e2b4ad, #74423b); background: light-dark(#fdf1ef, #2d1c1a); color: light-dark(#8c2318, #f2b8b0); }
  .card .flash.notice { border-color: var(--line); background: var(--paper); color: var(--ink); }
  .card code { background: var(--paper); }
  .card .hint { margin: 1.5rem 0 0; padding-top: 1.25rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .9rem; }
  .card .hint:last-child, .card p:last-child { margin-bottom: 0; }
  @media (max-width: 30rem) { .card { padding: 1.5rem 1.25rem; border-radius: .8rem; } }
  @media (forced-colors: active) { .card button { border: 1px solid; } }
`
