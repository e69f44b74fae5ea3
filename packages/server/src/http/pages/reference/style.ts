import { html } from '../html.ts'

/** Dresses the console in the colours of the other pages. It has a light switch of its own, which the bar on top follows. */
export const REFERENCE_STYLE = html`
  body { margin: 0; background: var(--paper); }
  .bar { position: sticky; top: 0; z-index: 20; height: 3.5rem; flex-wrap: nowrap; }
  :root { --scalar-custom-header-height: 3.5rem; --scalar-font: system-ui, sans-serif; --scalar-font-code: var(--mono); }
  body.light-mode { color-scheme: light; }
  body.dark-mode { color-scheme: dark; }
  .light-mode, .dark-mode { --scalar-background-1: var(--paper); --scalar-background-2: var(--raised);
    --scalar-border-color: var(--line); --scalar-color-1: var(--ink); --scalar-color-2: var(--quiet);
    --scalar-color-accent: var(--accent); }
  .ascii-art { visibility: hidden; }
  /* One way to authenticate leaves nothing to choose, and nothing here leads to another host. */
  .scalar-app button[aria-describedby][id^="headlessui-popover-button"],
  a[href*="scalar.com"] { display: none !important; }
`
