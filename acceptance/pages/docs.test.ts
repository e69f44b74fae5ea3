import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { api } from '../support/clients/requests.ts'
import { asArray, asObject, asString, parseJson } from '../support/json.ts'
import { type Portico, startPortico } from '../support/servers/portico.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { launchBrowser, openPage } from './browser.ts'
import { assertStrictPolicy } from './policy.ts'
import { toText } from './snippets.ts'

const publicUrl = 'https://partners.example.test'
const DOCS = new URL('../../docs/api/', import.meta.url)
const slugs = readdirSync(DOCS).map((file) => file.replace('.md', ''))
const PAGES = ['/', '/docs', '/errors', '/deprecations', '/changelog']

let portico: Portico
before(async () => {
  portico = await startPortico({ demo: false, publicUrl })
})
after(() => portico.stop())

describe('GET /docs', () => {
  test('lists every document of the API', async () => {
    const { status, text } = await api(portico, '/docs')
    assert.equal(status, 200)
    for (const slug of slugs) assert.ok(text.includes(`href="/docs/${slug}"`), slug)
  })

  test('is available as Markdown that links to the Markdown of every document', async () => {
    assert.ok((await api(portico, '/docs')).text.includes('<a href="/docs.md">Markdown</a>'))
    const { status, headers, text } = await api(portico, '/docs.md')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8')
    assert.match(text, /^# Documentation\n/)
    for (const slug of slugs)
      assert.match(text, new RegExp(`^- \\[.+\\]\\(${publicUrl}/docs/${slug}\\.md\\): .+\\.$`, 'm'))
  })

  for (const slug of slugs) {
    test(`${slug} is a page with the addresses of this installation`, async () => {
      const answer = await api(portico, `/docs/${slug}`)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
      assertStrictPolicy(answer)
      assert.doesNotMatch(toText(answer.text), /<public URL>|\{auth_url\}|api\.example\.com/)
      const [, title = ''] = /^# (.*)$/m.exec(readFileSync(new URL(`${slug}.md`, DOCS), 'utf8')) ?? []
      assert.ok(toText(answer.text).includes(title), title)
    })

    test(`${slug}.md is Markdown with links to Markdown`, async () => {
      const { status, headers, text } = await api(portico, `/docs/${slug}.md`)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8')
      assert.match(text, /^# /)
      for (const [, link = ''] of text.matchAll(/\]\((https:\/\/partners[^)]*)\)/g))
        assert.match(
          link,
          /\/(docs\/[\w-]+|errors|deprecations|changelog)\.md(#.*)?$|\/openapi\/\w+\.json$|\/reference$/,
        )
    })
  }

  test('fills in the address of version 2 and the token endpoint', async () => {
    assert.ok((await api(portico, '/docs/v2')).text.includes(`${publicUrl}/v2`))
    assert.ok((await api(portico, '/docs/tokens.md')).text.includes(`${publicUrl}/auth/oauth2/v2.0/token`))
  })

  test('links to the pages of the server that it names', async () => {
    const { text: page } = await api(portico, '/docs/v2')
    const { text: markdown } = await api(portico, '/docs/v2.md')
    for (const path of ['/reference', '/openapi/v2.json', '/errors']) {
      assert.ok(page.includes(`<a href="${path}"><code>${path}</code></a>`), path)
      const target = path === '/errors' ? '/errors.md' : path
      assert.ok(markdown.includes(`[\`${path}\`](${publicUrl}${target})`), path)
    }
    for (const slug of slugs) {
      const article = (await api(portico, `/docs/${slug}`)).text.split('<article>')[1] ?? ''
      assert.doesNotMatch(
        article,
        /(?<!">)<code>\/(reference|errors|deprecations|openapi\/\w+\.json)<\/code>/,
        slug,
      )
    }
  })

  test('has commands that read the variables of the quickstart, like the README', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const documents = slugs.map(async (slug) => (await api(portico, `/docs/${slug}.md`)).text)
    for (const text of [readme, ...(await Promise.all(documents))])
      assert.doesNotMatch(text, /\$(BASE_URL|AUTH_URL|CLIENT_ID|CLIENT_SECRET|SITE_ID|SITE|DEVICE)\b/)
  })

  test('lists the codes of the token endpoint that /errors explains', async () => {
    const listCodes = (text: string, code: RegExp): string[] =>
      [...new Set([...text.matchAll(code)].map(([, found = '']) => found))].toSorted()
    const explained = listCodes((await api(portico, '/errors')).text, /id="AADSTS(\d+)"/g)
    assert.ok(explained.length >= 16)
    const { text } = await api(portico, '/docs/tokens')
    assert.deepEqual(listCodes(text, /<td[^>]*>(\d{5,})<\/td>/g), explained)
  })

  test('has the address of this installation’s broker, in commands too', async () => {
    const { hostname, port } = new URL(portico.mqttUrl)
    for (const path of ['/docs/mqtt', '/docs/mqtt.md']) {
      const text = toText((await api(portico, path)).text)
      assert.ok(text.includes(`connect to ${path.endsWith('.md') ? '`' : ''}${portico.mqttUrl}`), path)
      const addresses = [...text.matchAll(/^mosquitto_\w+ -h (\S+) -p (\d+) -u/gm)]
      assert.ok(addresses.length >= 2, path)
      for (const [, host, own] of addresses) assert.deepEqual([host, own], [hostname, port])
    }
  })

  test('has the address of an external broker, without credentials', async () => {
    const mqttUrl = 'mqtts://server:secret@broker.example.test'
    await using other = await startPortico({ demo: false, mqttUrl })
    const { text } = await api(other, '/docs/mqtt.md')
    assert.ok(text.includes('connect to `mqtts://broker.example.test`'))
    assert.ok(text.includes('mosquitto_pub -h broker.example.test -p 8883 --tls-use-os-certs -u'))
    assert.ok(!text.includes('secret@'))
  })

  test('has no hints for the demo, which this server is not', async () => {
    for (const slug of slugs) {
      const markdown = (await api(portico, `/docs/${slug}.md`)).text
      for (const text of [markdown, (await api(portico, `/docs/${slug}`)).text])
        assert.doesNotMatch(text, /demo\.env|set -a|of the demo$|DEVICE_UUID=50d7/m, slug)
      assert.equal((markdown.match(/^```/gm) ?? []).length % 2, 0, `${slug}: every code block ends`)
    }
    assert.match((await api(portico, '/docs/operator.md')).text, /^export PORTICO_OPERATOR_CLIENT_ID=/m)
  })

  test('does not say how the document was made', async () => {
    for (const slug of slugs)
      for (const path of [`/docs/${slug}`, `/docs/${slug}.md`])
        assert.doesNotMatch((await api(portico, path)).text, /npm run docs|<!-- /, path)
  })

  test('has no other documents', async () => {
    for (const name of ['nothing', 'v2.html', '..%2FREADME', 'constructor'])
      assert.equal((await api(portico, `/docs/${name}`)).status, 404, name)
  })

  test('redirects from addresses that readers guess', async () => {
    for (const [name, target] of Object.entries({ '': '/docs', quickstart: '/' })) {
      const { status, headers } = await api(portico, `/docs/${name}`)
      assert.deepEqual([status, headers.get('location')], [308, target])
    }
  })

  test('is encoded once for each coding, and not sent again to a client that has it', async () => {
    const { headers } = await api(portico, '/docs/v2', { headers: { 'accept-encoding': 'br' } })
    assert.equal(headers.get('content-encoding'), 'br')
    const again = await api(portico, '/docs/v2', {
      headers: { 'accept-encoding': 'br', 'if-none-match': headers.get('etag') ?? '' },
    })
    assert.equal(again.status, 304)
  })
})

test('every page has the same navigation, and every link and anchor of every page leads somewhere', async () => {
  const pages = new Map<string, string>()
  const load = async (path: string): Promise<string> => {
    const known = pages.get(path)
    if (known !== undefined) return known
    const { status, text } = await api(portico, path)
    assert.equal(status, 200, path)
    pages.set(path, text)
    return text
  }
  const broken: string[] = []
  for (const path of [...PAGES, ...slugs.map((slug) => `/docs/${slug}`)]) {
    const text = await load(path)
    for (const target of [...PAGES, '/reference'])
      assert.ok(text.includes(`<a href="${target}"`), `${path} to ${target}`)
    for (const [, href = ''] of text.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      if (/^https?:/.test(href)) continue
      const [target = '', anchor] = href.replaceAll('&amp;', '&').split('#')
      const found = await load(target === '' ? path : target)
      if (anchor !== undefined && !found.includes(`id="${anchor}"`)) broken.push(`${path} ${href}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('GET /llms.txt lists documents that exist', async () => {
  const { status, headers, text } = await api(portico, '/llms.txt')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  for (const slug of slugs) assert.ok(links.includes(`${publicUrl}/docs/${slug}.md`), slug)
  for (const link of links) assert.equal((await api(portico, link.replace(publicUrl, ''))).status, 200, link)
})

describe('every page outside of /docs is Markdown, too', () => {
  const load = async (path: string): Promise<string> => {
    const { status, headers, text } = await api(portico, path)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8')
    return text
  }

  for (const path of ['/errors', '/deprecations', '/changelog'])
    test(`${path} names its Markdown, and /llms.txt lists it`, async () => {
      assert.ok((await api(portico, path)).text.includes(`<a href="${path}.md">Markdown</a>`))
      assert.match(await load(`${path}.md`), /^# /)
      assert.ok((await api(portico, '/llms.txt')).text.includes(`](${publicUrl}${path}.md)`))
    })

  test('/errors.md has the codes, causes, remedies and examples of the page', async () => {
    const text = await load('/errors.md')
    const page = (await api(portico, '/errors')).text
    const entries = [...page.matchAll(/<section class="entry".*?<\/section>/gs)].map(([entry]) => entry)
    assert.ok(entries.length >= 40)
    for (const entry of entries) {
      const [, code = ''] = /<code>([^<]*)<\/code>/.exec(entry) ?? []
      assert.match(text, new RegExp(`^### \\d{3} .*\\(\`${code}\`\\)$`, 'm'))
      for (const [, part = ''] of entry.matchAll(/<dd>(.*?)<\/dd>/gs))
        assert.ok(text.includes(toText(part)), part)
      const [, body = ''] = /<pre[^>]*><code>(.*?)<\/code>/s.exec(entry) ?? []
      assert.ok(text.includes(`\`\`\`json\n${toText(body)}\n\`\`\``), code)
    }
    assert.match(text, /^\| `not-a-date` \| /m)
  })

  test('/deprecations.md names the interval to request in place of a monthly endpoint', async () => {
    const text = await load('/deprecations.md')
    for (const path of [
      'utilities/{spaceId}/monthly',
      'performance/{spaceId}',
      'utilities/performance/{spaceId}',
    ])
      assert.match(
        text.split(`GET /v1/spaces/${path}\``)[1] ?? '',
        /^ \| `GET \S+\/daily\?interval=P1M` \|/,
        path,
      )
  })

  test('/deprecations.md has the rows of the page', async () => {
    const text = await load('/deprecations.md')
    const page = (await api(portico, '/deprecations')).text
    const rows = [...page.matchAll(/<tr><td>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      row.split('</td>').map((cell) => toText(cell)),
    )
    assert.equal(rows.length, 23)
    for (const row of rows) {
      const [path, ...others] = row.filter((cell) => cell !== '')
      const line = text.split('\n').find((one) => one.startsWith(`| \`${path}\` |`)) ?? ''
      for (const cell of others) assert.ok(line.includes(cell), `${line}: ${cell}`)
    }
  })
})

test('GET /changelog shows the releases, and links to the policy instead of naming its file', async () => {
  const { text } = await api(portico, '/changelog')
  assert.match(toText(text), /\[0\.1\.0\]|0\.1\.0 - /)
  assert.ok(text.includes('<a href="/docs/versioning">'))
  assert.doesNotMatch(toText(text), /(?<!\/)docs\/[\w/-]+\.md/)
  assert.match((await api(portico, '/changelog.md')).text, /^# Changelog/)
})

describe('GET /errors', () => {
  const bodies = (page: string): string[] =>
    [...page.matchAll(/<details>.*?<code>(.*?)<\/code>/gs)].map(([, code = '']) => toText(code))

  test('the examples have the details of real responses', async () => {
    const { text } = await api(portico, '/errors')
    const details = bodies(text).map((body) => asObject(parseJson(body))['detail'])
    for (const headers of [{}, { Authorization: 'Bearer x' }]) {
      const { json, text: body } = await api(portico, '/v2/sites', { headers })
      assert.ok(details.includes(json['detail']), body)
    }
  })

  test('lists every code in order of status, each with cause, remedy and an example that names it', async () => {
    const { text } = await api(portico, '/errors')
    const [errors = '', tokens = ''] = text.split('id="token"')
    for (const [part, least] of [
      [errors, 24],
      [tokens, 16],
    ] as const) {
      const statuses = [...part.matchAll(/class="status">(\d+)/g)].map(([, status]) => Number(status))
      assert.ok(statuses.length >= least, String(statuses.length))
      assert.deepEqual(
        statuses,
        statuses.toSorted((a, b) => a - b),
      )
      const examples = bodies(part).map((body) => asObject(parseJson(body)))
      assert.equal(examples.length, statuses.length)
      assert.equal(part.match(/<dt>Cause<\/dt>/g)?.length, statuses.length)
      assert.equal(part.match(/<dt>Remedy<\/dt>/g)?.length, statuses.length)
      // A cause is a whole sentence, without the particulars of one request.
      assert.doesNotMatch(part, /<dd>[^<]*(%|:\.|the parameter\.)<\/dd>/)
      // What to do is the remedy.
      assert.doesNotMatch(part, /<dt>Cause<\/dt><dd>[^<]*\b(Retry|Send|Use|Try)\b/)
      for (const [index, example] of examples.entries())
        if ('status' in example) {
          assert.equal(example['status'], statuses[index])
          // The only error of version 1 alone has its form.
          if ('message' in example) assert.equal(example['status'], 410)
          else assert.ok(asString(example['type']).startsWith(`${publicUrl}/errors/`))
        } else assert.ok(part.includes(`id="AADSTS${String(asArray(example['error_codes'])[0])}"`))
    }
  })
})

describe('the documents in a browser', { skip: skipWithout(testTools.chromium) }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser.close())

  for (const colorScheme of ['light', 'dark'] as const)
    test(`every page fits a phone screen and loads nothing from other hosts in ${colorScheme} colours`, async () => {
      for (const path of [...PAGES, '/docs/v2', '/docs/migration', '/errors/not-found']) {
        const page = await openPage(browser, `${portico.origin}${path}`, {
          colorScheme,
          viewport: { width: 390, height: 800 },
        })
        assert.equal(await page.evaluate('document.scrollingElement.scrollWidth'), 390, path)
        page.assertNoForeignRequests()
        await page.context().close()
      }
    })

  test('on a phone screen, the cells of a table row are one below another, and none is cut off', async () => {
    const page = await openPage(browser, portico.origin, { viewport: { width: 390, height: 800 } })
    for (const slug of slugs) {
      await page.goto(`${portico.origin}/docs/${slug}`)
      const misplaced = await page.evaluate(`[...document.querySelectorAll('tbody tr')].filter((row) => {
        const cells = [...row.cells].filter((cell) => cell.textContent !== '').map((cell) => cell.getBoundingClientRect())
        return cells.some(({ top, right }, index) => right > innerWidth || (index > 0 && top < cells[index - 1].bottom))
      }).map((row) => row.textContent)`)
      assert.deepEqual(misplaced, [], slug)
    }
    await page.goto(`${portico.origin}/docs/tokens`)
    const label = await page.evaluate(
      `getComputedStyle(document.querySelector('td + td'), '::before').content`,
    )
    assert.match(String(label), /error/, 'a wide table names its columns in every row')
  })

  test('every link of the navigation is visible without scrolling, whatever the width', async () => {
    for (const path of [...PAGES, '/reference', '/console/sign-in']) {
      const page = await openPage(browser, `${portico.origin}${path}`)
      for (const width of [320, 390, 800, 860, 870]) {
        await page.setViewportSize({ width, height: 800 })
        const hidden = await page.evaluate(`[...document.querySelectorAll('.bar nav a')].filter((link) => {
          const { left, right, top, bottom } = link.getBoundingClientRect()
          return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) !== link || right > innerWidth
        }).map((link) => link.textContent)`)
        assert.deepEqual(hidden, [], `${path} at ${width} pixels`)
      }
      assert.equal(await page.locator('.bar nav a').count(), 7)
      await page.context().close()
    }
  })

  test('the changelog is as wide as the list of errors', async () => {
    const widths: unknown[] = []
    for (const path of ['/errors', '/changelog']) {
      const page = await openPage(browser, `${portico.origin}${path}`, {
        viewport: { width: 1280, height: 800 },
      })
      widths.push(await page.evaluate('document.querySelector("main").clientWidth'))
      await page.context().close()
    }
    assert.equal(widths[1], widths[0])
  })

  test('a link to a section leads there', async () => {
    const page = await openPage(browser, `${portico.origin}/docs/figures`)
    await page.locator('article a[href="/docs/v2#comparison"]').first().click()
    await page.locator('h3#comparison').waitFor()
    assert.equal(new URL(page.url()).pathname, '/docs/v2')
    page.assertNoForeignRequests()
  })
})
