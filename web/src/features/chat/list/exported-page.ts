/** A chat as one page of HTML. The server writes it, and this browser draws its diagrams. */
import { chatRoutes } from '@atrium/contract/chat'
import { send } from '../../../api/client.ts'
import { writtenHere } from '../../../lib/format.ts'

/** More would keep whoever waits for the file too long; the rest stays as it is written. */
const mostDiagrams = 100

/** The page of a chat, whole, and what its file is called. It asks for nothing, and nothing in it runs. */
export async function readExportedPage(sessionId: string): Promise<{ name: string; html: string }> {
  const page = await send(chatRoutes.export, { params: { sessionId }, query: { format: 'html', ...writtenHere() } })
  const [, name = 'chat.html'] = /filename\*=UTF-8''([^;]+)/.exec(page.headers.get('content-disposition') ?? '') ?? []
  const html = await page.text()
  const isDrawn = html.includes('<code class="language-mermaid">')
  return { name: decodeURIComponent(name), html: isDrawn ? await drawDiagrams(html) : html }
}

async function drawDiagrams(html: string): Promise<string> {
  const { drawDiagram } = await import('../../../blocks/markdown/diagram-engine.ts')
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const code of [...page.querySelectorAll('pre > code.language-mermaid')].slice(0, mostDiagrams)) {
    const source = code.textContent ?? ''
    // What cannot be drawn stays as it is written.
    const drawn = await drawDiagram(source, 'paper').catch(() => null)
    if (!drawn) continue
    const picture = page.createElement('img')
    picture.alt = source.slice(0, 600)
    picture.width = drawn.width
    picture.height = drawn.height
    picture.src = `data:image/svg+xml,${encodeURIComponent(drawn.svg)}`
    code.parentElement?.replaceWith(picture)
  }
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`
}
