import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../../../src/http/pages/html.ts'

test('values are escaped, nested html is not', () => {
  const items = ['<b>', '"\'&'].map((item) => html`<li>${item}</li>`)
  assert.equal(
    html`<ul id="${'"'}">${items}</ul>${1}`.text,
    '<ul id="&quot;"><li>&lt;b&gt;</li><li>&quot;&#39;&amp;</li></ul>1',
  )
})
