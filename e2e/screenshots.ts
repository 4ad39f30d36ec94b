/** `npm run screenshots`: takes the pictures of docs/screenshots anew, of the built app with a few chats in it. */
import { mkdir } from 'node:fs/promises'
import { type Browser, chromium as player } from '@playwright/test'
import { startAtrium } from './atrium.ts'
import { chromium } from './chromium.ts'
import { markdown, pdf, type TestFile } from './harness/documents.ts'
import { startProvider } from './provider/provider.ts'

const folder = 'docs/screenshots'
const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

const provider = await startProvider()
const atrium = await startAtrium({ OLLAMA_BASE_URL: provider.url, LOG_LEVEL: 'silent' })
const own = await chromium()
const browser = await player.launch({ executablePath: own.executablePath, args: [...own.args], env: own.env })
await mkdir(folder, { recursive: true })

await shoot(browser, 'first-run', '/', { token: null })
const { token } = await call<{ token: string }>(null, 'POST', '/api/auth/signup', {
  username: 'marta',
  password: 'a long enough password',
})
for (const title of ['Trip to Lisbon', 'Rewriting the introduction', 'Bread at 80 % hydration', 'SQL window functions'])
  await chat(title, 'echo', `Tell me about this: ${title}`)
const tour = await chat('A tour of Markdown', 'markdown', 'Show me what Markdown can do')

await upload(
  pdf('Harbour handbook.pdf', [
    'The harbour opens at six',
    'The cranes stand still from ten at night until six',
    'Fees',
  ]),
)
await upload(markdown('House rules.md', '# House rules\n\n## Night\n\nQuiet hours begin at ten.\n'))
await upload(markdown('Bread.md', '# Bread\n\nFlour, water, salt, and a night in the cold.\n'))
const cited = await excerpts('When do the cranes stand still?')

await drawGallery(browser)

await shoot(browser, 'documents', '/documents', { token })
await shoot(browser, 'gallery', '/gallery', { token })
await shoot(browser, 'sources', `/chats/${cited}`, { token })
await shoot(browser, 'chat', `/chats/${tour}`, { token })
await shoot(browser, 'chat-dark', `/chats/${tour}`, { token, dark: true })
await shoot(browser, 'phone', `/chats/${tour}`, { token, size: phone })
await shoot(browser, 'settings', '/settings/connections', { token })
await call(token, 'PUT', '/api/preferences', { language: 'ar' })
await shoot(browser, 'arabic', `/chats/${tour}`, { token })

await browser.close()
await atrium.close()
await provider.close()

interface Shot {
  readonly token: string | null
  readonly size?: { width: number; height: number }
  readonly dark?: boolean
}

async function shoot(by: Browser, name: string, path: string, { token: session, size = desktop, dark }: Shot) {
  const context = await by.newContext({
    viewport: size,
    colorScheme: dark ? 'dark' : 'light',
    hasTouch: size === phone,
    isMobile: size === phone,
    serviceWorkers: 'block',
    locale: 'en-US',
  })
  if (session !== null)
    await context.addCookies([
      { name: 'atrium_session', value: session, url: atrium.url, httpOnly: true, sameSite: 'Strict' },
    ])
  const page = await context.newPage()
  await page.goto(atrium.url + path)
  // Fonts, highlighting and diagrams come after the text; a picture may wait for them.
  await page.waitForTimeout(8000)
  await page.screenshot({ path: `${folder}/${name}.png` })
  await context.close()
}

async function chat(title: string, model: string, message: string): Promise<string> {
  const selection = { providerType: 'local', providerId: null, model: `${model}:latest` }
  const { id } = await call<{ id: string }>(token, 'POST', '/api/chat/sessions', { title, selection })
  await call(token, 'POST', `/api/chat/sessions/${id}/generate`, { message })
  await call(token, 'PUT', `/api/chat/sessions/${id}`, { unread: false })
  return id
}

/** Skies over hills, in the proportions that models draw in. */
async function drawGallery(by: Browser): Promise<void> {
  const page = await by.newPage()
  const sizes = [
    [768, 512],
    [512, 768],
    [640, 640],
    [896, 512],
    [512, 640],
    [768, 512],
    [640, 640],
    [512, 768],
  ] as const
  for (const [at, [width, height]] of sizes.entries()) {
    const address = await page.evaluate<string>(`(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} })
      const pen = canvas.getContext('2d')
      const hue = ${at * 47}
      const sky = pen.createLinearGradient(0, 0, 0, ${height})
      sky.addColorStop(0, 'hsl(' + hue + ' 60% 34%)')
      sky.addColorStop(1, 'hsl(' + (hue + 50) + ' 75% 78%)')
      pen.fillStyle = sky
      pen.fillRect(0, 0, ${width}, ${height})
      pen.fillStyle = 'hsl(' + (hue + 40) + ' 90% 90%)'
      pen.beginPath()
      pen.arc(${width} * (0.25 + ${at % 3} * 0.22), ${height} * 0.36, ${Math.min(width, height)} * 0.1, 0, 7)
      pen.fill()
      for (let hill = 0; hill < 4; hill++) {
        pen.fillStyle = 'hsl(' + (hue + 20) + ' 38% ' + (44 - hill * 10) + '%)'
        pen.beginPath()
        pen.moveTo(0, ${height})
        for (let x = 0; x <= ${width}; x += 8)
          pen.lineTo(x, ${height} * (0.56 + hill * 0.11 + 0.06 * Math.sin(x / (70 + hill * 23) + hill * 2 + ${at})))
        pen.lineTo(${width}, ${height})
        pen.fill()
      }
      return canvas.toDataURL('image/png')
    })()`)
    const body = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' }
    const to = `${atrium.url}/api/media/gallery/upload?name=${encodeURIComponent(`Hills ${at + 1}.png`)}`
    const answer = await fetch(to, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`The gallery took no picture: ${answer.status} ${await answer.text()}`)
  }
  await page.close()
}

async function upload({ name, mimeType, buffer }: TestFile): Promise<void> {
  const form = new FormData()
  form.set('document', new Blob([new Uint8Array(buffer)], { type: mimeType }), name)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${atrium.url}/api/documents/upload`, { method: 'POST', headers, body: form })
  const { id } = (await answer.json()) as { id: string }
  for (let state = ''; state !== 'completed'; await new Promise((later) => setTimeout(later, 100)))
    state = (await call<{ processingStatus: string }>(token, 'GET', `/api/documents/${id}`)).processingStatus
}

async function excerpts(message: string): Promise<string> {
  const selection = { providerType: 'builtin', providerId: 'builtin', model: 'excerpts' }
  const { id } = await call<{ id: string }>(token, 'POST', '/api/chat/sessions', { title: message, selection })
  await call(token, 'POST', `/api/chat/sessions/${id}/generate`, { message })
  await call(token, 'PUT', `/api/chat/sessions/${id}`, { unread: false })
  return id
}

async function call<T>(session: string | null, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(atrium.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(session === null ? {} : { authorization: `Bearer ${session}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}
