/** Previews of artifacts: they run with our libraries, reach nothing, and freeze nothing. */
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { artifactsRoutes } from '@atrium/contract/artifacts'
import type { Page } from '@playwright/test'
import { look } from '../harness/look.ts'
import { openTestApp } from '../harness/test-app.ts'
import { expect, onlyInAll, test, type Visit } from '../harness/test.ts'
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
    const endless = '<p>Begun</p><button onclick="setTimeout(() => { for (;;); })">Go on</button>'
    const id = await make('html', 'Endless', endless)
    await page.goto(`/artifacts/${id}`)
    await expect(frameOf(page).getByText('Begun')).toBeVisible()
    await page.getByText('Code', { exact: true }).click()
    await page.getByText('Preview', { exact: true }).click()
    await expect(frameOf(page).getByText('Begun')).toBeVisible()
    // Not awaited: from here on the frame answers nobody.
    frameOf(page)
      .getByRole('button', { name: 'Go on' })
      .dispatchEvent('click')
      .catch(() => undefined)
    await page.getByRole('button', { name: 'More actions' }).click()
    await expect(page.getByRole('menuitem', { name: 'Share' })).toBeVisible()
    await page.keyboard.press('Escape')
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
