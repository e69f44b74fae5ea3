import { html } from '../html.ts'

/**
 * Gives the reference the colours of the other pages. It has its own light/dark switch, which the navigation bar
 * follows.
 */
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
  /* Hidden: the choice of the only authentication method, and links to other hosts. */
  .scalar-app button[aria-describedby][id^="headlessui-popover-button"],
  a[href*="scalar.com"] { display: none !important; }
`
