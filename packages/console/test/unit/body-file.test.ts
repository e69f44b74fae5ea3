import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toCode } from '../../src/show-call.ts'

it('a body from a file is shown as the file, not as its content', () => {
  const { curl, typescript, python } = toCode(
    {
      api: 'operator',
      method: 'PUT',
      path: '/inventory',
      query: { dryRun: true },
      body: { site: { siteName: 'Aldgate Court' } },
      bodyFile: 'site.json',
    },
    'https://api.example.com',
  )
  assert.match(curl, /--data-binary @site\.json$/)
  assert.match(typescript, /^import document from '\.\/site\.json' with \{ type: 'json' \}$/m)
  assert.match(typescript, /body: document/)
  assert.match(python, /body=json\.load\(open\("site\.json"\)\)/)
  for (const code of [curl, typescript, python]) assert.doesNotMatch(code, /Aldgate/)
})
