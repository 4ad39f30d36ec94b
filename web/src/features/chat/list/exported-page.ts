/** A chat as one page of HTML. The server writes it, and this browser draws its diagrams. */
import { chatRoutes } from '@atrium/contract/chat'
import { send } from '../../../api/client.ts'
import { writtenHere } from '../../../lib/format.ts'
import { toast } from '../../../ui/toaster.tsx'
import { translate } from 'virtual:words/chat-list'

/** More would keep whoever waits for the file too long; the rest stays as it is written. */
const mostDiagrams = 100

interface ExportedPage {
  readonly name: string
  readonly html: string
}

/** Of these chats a page is being prepared. */
const coming = new Set<string>()

/**
 * The page of a chat, whole, and what its file is called. It asks for nothing, and nothing in it runs. Says so when it
 * takes longer than a moment; null where it is being prepared already.
 */
export async function readExportedPage(sessionId: string): Promise<ExportedPage | null> {
  if (coming.has(sessionId)) return null
  let dismiss: (() => void) | undefined
  const timer = setTimeout(() => {
    dismiss = toast(translate('chat-list:export.preparing'), { ms: 600_000 })
  }, 500)
  coming.add(sessionId)
  try {
    return await preparePage(sessionId)
  } finally {
    coming.delete(sessionId)
    clearTimeout(timer)
    dismiss?.()
  }
}

async function preparePage(sessionId: string): Promise<ExportedPage> {
  const page = await send(chatRoutes.export, { params: { sessionId }, query: { format: 'html', ...writtenHere() } })
  const [, name = 'chat.html'] = /filename\*=UTF-8''([^;]+)/.exec(page.headers.get('content-disposition') ?? '') ?? []
  const html = await page.text()
  const isDrawn = html.includes('<code class="language-mermaid">')
  return { name: decodeURIComponent(name), html: isDrawn ? await drawDiagrams(html) : html }
}

async function drawDiagrams(html: string): Promise<string> {
  const engine = await import('../../../blocks/markdown/diagram-engine.ts').catch(() => null)
  // Without it, diagrams stay as they are written.
  if (!engine) return html
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const code of [...page.querySelectorAll('pre > code.language-mermaid')].slice(0, mostDiagrams)) {
    const source = code.textContent ?? ''
    // What cannot be drawn, or not all of it, stays as it is written.
    const drawn = await engine.drawDiagram(source, 'paper').catch(() => null)
    if (!drawn || drawn.lost) continue
    const picture = page.createElement('img')
    picture.className = 'diagram'
    picture.alt = source.slice(0, 600)
    picture.width = drawn.width
    picture.height = drawn.height
    picture.src = `data:image/svg+xml,${encodeURIComponent(drawn.svg)}`
    code.parentElement?.replaceWith(picture)
  }
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`
}
