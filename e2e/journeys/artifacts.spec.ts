/** Artifacts: made, edited, looked at and restored; previews run with our libraries, reach nothing, and freeze nothing. */
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { artifactsRoutes } from '@atrium/contract/artifacts'
import { chatRoutes } from '@atrium/contract/chat'
import { connectionsRoutes } from '@atrium/contract/connections'
import { settingsRoutes } from '@atrium/contract/settings'
import type { Page } from '@playwright/test'
import { look } from '../harness/look.ts'
import { ask } from '../harness/talk.ts'
import { makeChat, openTestApp } from '../harness/test-app.ts'
import { expect, onlyInAll, phone, test, type Visit } from '../harness/test.ts'
import { leavingWays, type Listener, listen, pageThatTries, quietWays } from '../harness/ways-out.ts'

const testApp = openTestApp()

const make = async (kind: 'html' | 'react' | 'svg' | 'chart' | 'csv' | 'markdown', title: string, content: string) =>
  (await testApp.admin.api.call(artifactsRoutes.create, { body: { kind, title, content } })).id

const frameOf = (page: Page) => page.frameLocator('iframe[src="/api/artifacts/sandbox"]')
/** The files of an archive that compresses nothing. */
function* storedIn(zip: Buffer) {
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const [size, nameLength] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26)]
    const start = at + 30 + nameLength
    yield { name: zip.toString('utf8', at + 30, start), text: zip.subarray(start, start + size) }
    at = start + size
  }
}
/** The console says that the page is through. */
const tried = async (page: Page) => {
  const console = page.getByRole('region', { name: 'Console' })
  await console.getByRole('button', { name: /^Console/ }).click()
  await expect(console.getByText('tried', { exact: true })).toBeVisible()
}

test('one is made, written, shown, changed, and an earlier version restored', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/artifacts')
  await expect(page.getByText('No artifacts yet')).toBeVisible()
  await look(page, 'artifacts-empty')
  await page.getByRole('button', { name: 'New artifact' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Shop')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const code = page.getByRole('textbox', { name: 'Content of “Shop”' })
  await code.fill('<h1>Open</h1>')
  await page.getByRole('button', { name: 'Save version' }).click()
  await expect(page.getByRole('button', { name: 'Save version' })).toBeHidden()
  await page.getByText('Preview', { exact: true }).click()
  await expect(frameOf(page).getByRole('heading', { name: 'Open' })).toBeVisible()
  await look(page, 'artifact')
  await page.getByText('Code', { exact: true }).click()
  await code.fill('<h1>Closed</h1>')
  await code.press('Control+s')
  await page.getByText('Preview', { exact: true }).click()
  await expect(frameOf(page).getByRole('heading', { name: 'Closed' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Version' }).selectOption('2')
  await expect(frameOf(page).getByRole('heading', { name: 'Open' })).toBeVisible()
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveValue('4')
  await page.goto('/artifacts')
  await expect(page.getByRole('link', { name: 'Shop' })).toBeVisible()
  await look(page, 'artifacts')
  await page.setViewportSize(phone.viewport)
  await look(page, 'artifacts-phone')
})

test('what is written is saved by itself, and nothing that is written meanwhile is lost', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const id = await make('markdown', 'Letter', 'Dear')
  await page.goto(`/artifacts/${id}`)
  await page.getByText('Code', { exact: true }).click()
  const code = page.getByRole('textbox', { name: 'Content of “Letter”' })
  let goOn = () => {}
  const isHeld = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route(`**/api/artifacts/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await isHeld
    await route.continue()
  })
  const asked = page.waitForRequest((request) => request.method() === 'PATCH')
  await code.fill('Dear Ann')
  await asked
  await expect(page.getByRole('status').filter({ hasText: 'Saving…' })).toBeVisible()
  await code.fill('Dear Ann, thank you')
  goOn()
  await expect(page.getByRole('status').filter({ hasText: 'Saved automatically' })).toBeVisible()
  await look(page, 'artifact-autosaved')
  const [newest, ...earlier] = (await testApp.admin.api.call(artifactsRoutes.versions, { params: { artifactId: id } }))
    .items
  expect([newest?.number, earlier.map(({ number }) => number)]).toEqual([3, [1]])
  await page.reload()
  await page.getByText('Code', { exact: true }).click()
  await expect(code).toHaveText('Dear Ann, thank you')
  await page.getByText('Changes', { exact: true }).click()
  await expect(page.getByText('Dear Ann, thank you')).toBeVisible()
})

test('previews have libraries of ours, whatever address they name', async ({ visit }) => {
  // Asked for, and refused before anything leaves.
  const page = await visit(testApp, testApp.admin, { elsewhere: 'https://elsewhere.example', refused: true })
  const react = await make(
    'react',
    'Counter',
    `import { useState } from 'react'
import { Heart } from 'lucide-react'
import * as d3 from 'd3'
import Papa from 'papaparse'
import Chart, { CategoryScale } from 'chart.js/auto'
export default function Counter(): JSX.Element {
  const [count, setCount] = useState<number>(typeof Chart === 'function' && CategoryScale ? d3.sum([1, 2]) : 0)
  const rows = Papa.parse('a,b').data.length
  return <button className="p-4 font-bold" onClick={() => setCount(count + rows)}><Heart aria-label="heart" />{count}</button>
}`,
  )
  await page.goto(`/artifacts/${react}`)
  const button = frameOf(page).getByRole('button')
  await expect(button).toHaveText('3')
  await button.click()
  await expect(button).toHaveText('4')
  await expect(button).toHaveCSS('padding', '16px')

  const html = await make(
    'html',
    'Libraries',
    `<!doctype html><html><head>
<script src="https://cdn.tailwindcss.com"></script>
<script src="https://cdn.jsdelivr.net/npm/chart.js"></script>
<script src="https://cdn.jsdelivr.net/npm/mermaid@11/dist/mermaid.min.js"></script>
<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/katex@0.16/dist/katex.min.css">
<script src="https://cdnjs.cloudflare.com/ajax/libs/KaTeX/0.16.9/katex.min.js"></script>
<script src="https://unpkg.com/lucide@latest"></script>
<script src="https://elsewhere.example/other.js"></script>
<script type="importmap">{ "imports": { "three": "https://unpkg.com/three@0.160.0/build/three.module.js" } }</script>
</head><body>
<p id="out" class="pt-2"></p><i data-lucide="heart"></i><pre class="mermaid">graph TD; A-->B</pre>
<script type="module">
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
lucide.createIcons()
const formula = katex.renderToString('x^2')
await mermaid.run()
localStorage.setItem('kept', 'yes')
document.getElementById('out').textContent = [new THREE.Vector3(1, 2, 3).y, typeof OrbitControls, typeof Chart, formula.includes('katex'), localStorage.getItem('kept'), document.querySelectorAll('svg.lucide, pre svg').length].join(' ')
</script></body></html>`,
  )
  await page.getByRole('button', { name: 'More actions' }).click()
  const packed = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save as ZIP with its source' }).click()
  const folder = await mkdtemp(join(tmpdir(), 'zip-'))
  const zip = Buffer.from(await readFile(await (await packed).path()))
  for (const { name, text } of storedIn(zip)) {
    await mkdir(join(folder, dirname(name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  expect((await readdir(folder)).toSorted()).toEqual(['index.html', 'runtime', 'source'])
  expect(await readFile(join(folder, 'source/source.tsx'), 'utf8')).toContain('export default function Counter')
  const offline = await page.context().newPage()
  await offline.goto(pathToFileURL(join(folder, 'index.html')).href)
  await offline.getByRole('button').click()
  await expect(offline.getByRole('button')).toHaveText('4')
  await expect(offline.getByRole('button')).toHaveCSS('padding', '16px')
  await offline.close()

  await page.goto(`/artifacts/${html}`)
  await expect(frameOf(page).locator('#out')).toHaveText('2 function function true yes 2')
  await expect(frameOf(page).locator('#out')).toHaveCSS('padding-top', '8px')
  await page
    .getByRole('region', { name: 'Console' })
    .getByRole('button', { name: /^Console/ })
    .click()
  await expect(page.getByText(/Blocked: https:\/\/elsewhere\.example/)).toBeVisible()

  await page.getByRole('button', { name: 'More actions' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save as a page that works offline' }).click()
  const file = await (await saved).path()
  expect(await readFile(file, 'utf8')).toContain('default-src')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Save to documents' }).click()
  await expect(page.getByText('Saved to your documents')).toBeVisible()

  const broken = await make('react', 'Broken', 'export default () => <div')
  await page.goto(`/artifacts/${broken}`)
  await expect(page.getByText('Couldn’t build the preview')).toBeVisible()
  const chart = await make('chart', 'Chart', '{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[1]}]}}')
  await page.goto(`/artifacts/${chart}`)
  await expect(frameOf(page).locator('canvas')).toHaveAttribute('style', /display: block/)
  const table = await make('csv', 'Table', 'name,price\n"Tea, green",3\n')
  await page.goto(`/artifacts/${table}`)
  await expect(page.getByRole('cell', { name: 'Tea, green' })).toBeVisible()
})

test('what a preview wants of the app, a person is asked', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const id = await make(
    'html',
    'Asking',
    `<a href="https://elsewhere.example/there">There</a>
<button onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob(['kept'])); a.download = 'kept.txt'; a.click()">Keep</button>`,
  )
  await page.goto(`/artifacts/${id}`)
  await frameOf(page).getByRole('link', { name: 'There' }).click()
  const asked = page.getByRole('group', { name: 'Request from the preview' })
  await expect(asked).toContainText('https://elsewhere.example/there')
  await asked.getByRole('button', { name: 'Dismiss' }).click()
  await frameOf(page).getByRole('button', { name: 'Keep' }).click()
  await expect(asked).toContainText('kept.txt')
  const saved = page.waitForEvent('download')
  await asked.getByRole('button', { name: 'Save' }).click()
  expect((await saved).suggestedFilename()).toBe('kept.txt')
})

test('what a model makes opens beside the chat, and so does a block of an answer', async ({ visit }) => {
  // What is made has an error.
  const page = await visit(testApp, testApp.admin, { refused: true })
  const block = '```html\n<title>Menu</title><h1>Soup</h1>\n```'
  const chat = await makeChat(testApp.admin, { title: 'Tea', messages: ['Write a menu', block] })
  await page.goto(`/chats/${chat}`)
  const args = JSON.stringify({ kind: 'html', title: 'Tea house', content: '<h1>Green</h1><script>tea()</script>' })
  await ask(page, `Make a page <<create_artifact ${args}>>`)
  await expect(frameOf(page).getByRole('heading', { name: 'Green' })).toBeVisible()
  const card = page.getByRole('list', { name: 'Artifacts in this answer' }).getByRole('button', { name: /Tea house/ })
  await expect(card).toContainText('Web page · Version 1')
  await look(page, 'artifact-in-chat')
  await page.getByRole('button', { name: 'Fix this' }).click()
  await expect(page.getByText(/Fix this error in the artifact “Tea house”.*tea is not defined/s).first()).toBeVisible()
  await page.getByRole('complementary', { name: 'Side pane' }).getByRole('button', { name: 'Close' }).click()
  await expect(frameOf(page).getByRole('heading')).toHaveCount(0)
  await card.click()
  await expect(frameOf(page).getByRole('heading', { name: 'Green' })).toBeVisible()
  await page.getByRole('button', { name: 'Open as artifact' }).click()
  await expect(frameOf(page).getByRole('heading', { name: 'Soup' })).toBeVisible()
  await page.setViewportSize(phone.viewport)
  await expect(frameOf(page).getByRole('heading', { name: 'Soup' })).toBeVisible()
  await look(page, 'artifact-in-chat-phone')
})

test('what a model writes is seen while it grows, and the last good picture stays', async ({ visit }) => {
  const { api } = testApp.admin
  await api.call(connectionsRoutes.installPlugin, {
    body: {
      id: 'writer',
      name: 'Writer',
      type: 'completion',
      endpoint: `${testApp.provider.url}/v1/chat/completions`,
      auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' },
      model_map: ['echo'],
    },
  })
  await api.call(connectionsRoutes.saveKey, { params: { id: 'writer' }, body: { apiKey: 'key' } })
  await api.call(connectionsRoutes.activate, { params: { id: 'writer' } })
  const selection = { providerType: 'plugin', providerId: 'writer', model: 'echo' } as const
  const { id: chat } = await api.call(chatRoutes.create, { body: { selection } })
  // What is written has an error.
  const page = await visit(testApp, testApp.admin, { refused: true })
  const shown = page.frameLocator(':not([aria-hidden]) > iframe[src="/api/artifacts/sandbox"]')
  const writing = page.getByRole('complementary', { name: 'Side pane' }).getByText('Writing…')
  const order = (name: string, args: object) => `Go on <<${name} ${JSON.stringify(args)}>>`

  testApp.provider.control({ msPerToken: 600 })
  await page.goto(`/chats/${chat}`)
  const content = `<h1>Green</h1>${'<p>Tea</p>'.repeat(20)}<script>throw null</script>${'<p>More</p>'.repeat(1500)}<h2>End</h2>`
  await ask(page, order('create_artifact', { kind: 'html', title: 'Tea house', content }))
  await expect(shown.getByRole('heading', { name: 'Green' })).toBeVisible()
  await expect(writing).toBeVisible()
  await look(page, 'artifact-being-written')
  // By now it breaks at its beginning.
  await expect(page.getByRole('button', { name: /Tea house Writing.* kB/ })).toBeVisible()
  await expect(shown.getByRole('heading', { name: 'Green' })).toBeVisible()
  await expect(shown.getByText('More')).toHaveCount(0)
  testApp.provider.control({ msPerToken: 0 })
  await expect(shown.getByRole('heading', { name: 'End' })).toBeVisible()
  await expect(writing).toHaveCount(0)

  const id = await make('html', 'Menu', '<h1>Soup</h1>')
  testApp.provider.control({ msPerToken: 600 })
  const edits = [{ old_text: 'Soup', new_text: `Cake</h1>${'<p>Tart</p>'.repeat(60)}<h1>End` }]
  await ask(page, order('update_artifact', { id, edits }))
  await expect(shown.getByRole('heading', { name: 'Cake' })).toBeVisible()
  await expect(writing).toBeVisible()
  testApp.provider.control({ msPerToken: 0 })
  await expect(shown.getByRole('heading', { name: 'End' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveValue('2')

  const answer = `\`\`\`html\n<title>Bread</title> <h1>Bread</h1>\n${'<p>Flour</p>\n'.repeat(200)}<h2>Bake</h2>\n\`\`\``
  testApp.provider.control({ holdAfter: 60, answers: [{ match: 'a recipe', answer }] })
  await ask(page, 'Write a recipe')
  await page.getByRole('button', { name: 'Open as artifact' }).last().click()
  await expect(shown.getByRole('heading', { name: 'Bread' })).toBeVisible()
  await expect(writing).toBeVisible()
  testApp.provider.control({ holdAfter: null, answers: [] })
  await expect(shown.getByRole('heading', { name: 'Bake' })).toBeVisible()
  await expect(writing).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveValue('1')
})

test('one is seen by its link without an account, in the same frame, and is gone when the link is revoked', async ({
  visit,
}) => {
  await testApp.admin.api.call(settingsRoutes.updateInstance, { body: { artifactLinks: true } })
  const id = await make(
    'html',
    'Poster',
    '<h1>Concert</h1><script>try { parent.document } catch { document.body.id = "apart" }</script>',
  )
  const mine = await visit(testApp, testApp.admin)
  await mine.goto(`/artifacts/${id}`)
  await mine.getByRole('button', { name: 'More actions' }).click()
  await mine.getByRole('menuitem', { name: 'Share' }).click()
  const window = mine.getByRole('dialog', { name: /^Share “/ })
  await window.getByRole('button', { name: 'Create link' }).click()
  await window.getByLabel('Password', { exact: true }).fill('correct horse')
  await window.getByRole('button', { name: 'Create link' }).click()
  const url = (await window.getByText(/#ata_/).textContent()) ?? ''
  await window.getByRole('button', { name: /^Change link created/ }).click()
  const change = window.getByRole('form', { name: 'Change link' })
  await change.getByRole('combobox', { name: 'Expires' }).selectOption({ label: 'In one week' })
  await change.getByRole('combobox', { name: 'Password' }).selectOption({ label: 'New password' })
  await change.getByRole('textbox', { name: 'New password' }).fill('battery staple')
  await look(mine, 'artifact-link-made')
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(change).toHaveCount(0)

  const theirs = await visit(testApp, null, phone)
  await theirs.goto(url)
  await theirs.getByLabel('Password', { exact: true }).fill('battery staple')
  await theirs.getByRole('button', { name: 'Open artifact' }).click()
  await expect(frameOf(theirs).getByRole('heading', { name: 'Concert' })).toBeVisible()
  await expect(frameOf(theirs).locator('#apart')).toBeVisible()
  await look(theirs, 'linked-artifact-phone')
  await testApp.admin.api.call(artifactsRoutes.update, {
    params: { artifactId: id },
    body: { content: '<h1>Concert tonight</h1>' },
  })
  await expect(frameOf(theirs).getByRole('heading', { name: 'Concert tonight' })).toBeVisible()

  await mine.goto('/shared/by-me')
  const byLinks = mine.getByRole('list', { name: 'Artifacts by link' })
  await expect(byLinks).toContainText('Newest version · password · until')
  await byLinks.getByRole('button', { name: 'Revoke link to “Poster”' }).click()
  await expect(theirs.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
  await expect(theirs.locator('iframe')).toHaveCount(0)
})

test.describe('a preview', () => {
  let listener: Listener
  test.beforeAll(async () => {
    listener = await listen()
  })
  test.afterAll(() => listener.close())

  test('carries nothing out of its frame', async ({ visit }) => {
    // The listener hears what is sent to it.
    await fetch(`${listener.web}/heard`)
    expect(listener.arrived).toContain('request GET /heard')
    listener.arrived.length = 0
    const page = await visit(testApp, testApp.admin, { elsewhere: listener.web, refused: true })
    const pages: string[] = []
    page.context().on('page', (opened) => pages.push(opened.url()))
    const id = await make('html', 'Ways out', pageThatTries(quietWays, listener))
    await page.goto(`/artifacts/${id}`)
    await tried(page)
    expect(listener.arrived).toEqual([])
    expect(listener.arrived).toEqual([])
    expect(pages).toEqual([])
  })

  const leave = async (visit: Visit, ways: Readonly<Record<string, string>>) => {
    listener.arrived.length = 0
    const page = await visit(testApp, testApp.admin, { elsewhere: listener.web, refused: true })
    for (const [name, code] of Object.entries(ways)) {
      const leaving = await make('html', name, pageThatTries({ [name]: code }, listener))
      await page.goto(`/artifacts/${leaving}`)
      await expect(page.getByText(/The preview (stopped responding|left its page|was stopped)/)).toBeVisible()
      expect(page.url()).toContain(leaving)
    }
    expect(listener.arrived).toEqual([])
  }

  test('does not leave its frame', ({ visit }) =>
    leave(visit, { 'page of a blob': leavingWays['page of a blob'] ?? '' }))

  test('does not leave its frame by any way', onlyInAll, ({ visit }) => leave(visit, leavingWays))

  test('that never ends is taken away, and the app answers all the while', async ({ visit }) => {
    const page = await visit(testApp, testApp.admin)
    const id = await make('html', 'Endless', '<p>Begun</p><script>setTimeout(() => { for (;;); }, 3000)</script>')
    await page.goto(`/artifacts/${id}`)
    await expect(frameOf(page).getByText('Begun')).toBeVisible()
    await page.getByText('Code', { exact: true }).click()
    await page.getByText('Preview', { exact: true }).click()
    await expect(page.getByText('The preview stopped responding')).toBeVisible()
    await page.getByRole('button', { name: 'Start again' }).click()
    await expect(frameOf(page).getByText('Begun')).toBeVisible()
  })

  test('that cannot be loaded says so, begins once it can, and is stopped by its person', async ({ visit }) => {
    const page = await visit(testApp, testApp.admin, { refused: true })
    const id = await make('html', 'Later', '<p>Begun</p>')
    await page.route('**/api/artifacts/sandbox', (route) => route.fulfill({ status: 429, body: 'Too many requests' }))
    await page.goto(`/artifacts/${id}`)
    await expect(page.getByText('Couldn’t load the preview')).toBeVisible()
    await page.unroute('**/api/artifacts/sandbox')
    await page.getByRole('button', { name: 'Start again' }).click()
    await expect(frameOf(page).getByText('Begun')).toBeVisible()
    await page.getByRole('region', { name: 'Console' }).getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByText('The preview is stopped')).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(0)
    await look(page, 'artifact-stopped')
    await page.getByRole('button', { name: 'Start again' }).click()
    await expect(frameOf(page).getByText('Begun')).toBeVisible()
  })
})
