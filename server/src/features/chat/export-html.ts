/** One chat as one page of HTML: its active path, with everything that it shows in it, to be read or printed. */
import { runInWorker } from '../../platform/work/work.ts'
import { WorkFailure } from '../../platform/work/failure.ts'
import { escapeHtml, plainHtml } from '../../platform/formats/text/html-text.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import { directionOf, type Language } from '@atrium/contract/languages'
import type { ChatSummary } from '@atrium/contract/chat'
import type { Source } from '@atrium/contract/generation'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { ChatContext } from './context.ts'
import { describeCalls } from './export-calls.ts'
import { citedSources, type ExportWords, webAddressOf } from './export-words.ts'
import { openContent, rowToAttachment } from './stores/rows.ts'
import type { AttachmentRow, MessageRow, SessionRow } from './tables.ts'

const slice = 100
/** Bytes of pictures that one page holds; more are named and not shown. */
const mostPictures = 20 * 1024 * 1024
const converter = new URL('../../platform/formats/text/markdown-html.ts', import.meta.url)

/** The page, piece by piece, in reading order. */
export const chatAsHtml = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  { title, tags }: Pick<ChatSummary, 'title' | 'tags'>,
  words: ExportWords,
): Promise<string[]> => {
  const messages: string[] = []
  let room = mostPictures
  for (let leaf = chat.active_leaf_id; leaf !== null; ) {
    const rows: MessageRow[] = await context.store.messages.upwards(chat.id, leaf, slice)
    const held = await context.store.attachments.ofMessages(rows)
    const contents = rows.map((row) => openContent(keys, row))
    const texts = await toHtml(contents.map(({ text }) => text))
    for (const [index, row] of rows.entries()) {
      const pictures = await picturesOf(context, keys, held.get(row.id) ?? [], room)
      room -= pictures.bytes
      const { documents = [], sources = [], toolCalls = [] } = contents[index] ?? {}
      const calls = describeCalls(toolCalls).map(
        (line) => `<p class="call" dir="auto"><code>${escapeHtml(line)}</code></p>`,
      )
      const files = documents.map(({ name }) => `<p class="file" dir="auto">📎 ${escapeHtml(name)}</p>`)
      const cited = citedSources({ sources })
      const [who, iso] = [escapeHtml(words.nameOf(row)), toIsoTime(row.created_at)]
      const time = `<time datetime="${iso}">${escapeHtml(words.timeOf(row.created_at))}</time>`
      messages.push(
        [
          `<section class="${row.role}"><h2><bdi>${who}</bdi> ${time}</h2>`,
          ...pictures.html,
          ...files,
          ...calls,
          texts[index] ?? '',
          ...(cited.length > 0
            ? [`<ol class="sources">${cited.map((source) => sourceItem(source, words)).join('')}</ol>`]
            : []),
          '</section>\n',
        ].join('\n'),
      )
    }
    leaf = rows.at(-1)?.parent_id ?? null
  }
  const tagged = tags.length > 0 ? [`<p class="tags" dir="auto">${escapeHtml(words.tagged(tags))}</p>\n`] : []
  return [pageHead(title, words.language), ...tagged, ...messages.reverse(), '</main></body></html>\n']
}

/** Texts that cannot be parsed in good time stay as they are typed. */
const toHtml = async (texts: string[]): Promise<string[]> => {
  try {
    return await runInWorker<string[], string[]>(converter, 'markdownToHtml', texts, { timeoutMs: 20_000 })
  } catch (error) {
    if (!(error instanceof WorkFailure)) throw error
    return texts.map(plainHtml)
  }
}

const picturesOf = async (
  context: ChatContext,
  keys: Keyring,
  attachments: readonly AttachmentRow[],
  room: number,
): Promise<{ html: string[]; bytes: number }> => {
  const html: string[] = []
  let used = 0
  for (const row of attachments) {
    const name = escapeHtml(rowToAttachment(keys, row).name)
    const fits = row.kind === 'image' && used + row.size_bytes <= room
    const bytes = fits ? await context.files.read(row.account_id, row.id) : null
    if (bytes) used += row.size_bytes
    html.push(
      bytes
        ? `<img alt="${name}" src="data:${escapeHtml(row.media_type)};base64,${Buffer.from(bytes).toString('base64')}">`
        : `<p class="file" dir="auto">📎 ${name}</p>`,
    )
  }
  return { html, bytes: used }
}

const sourceItem = (source: Source & { readonly number: number }, words: ExportWords): string => {
  const title = escapeHtml(words.titleOf(source))
  const url = webAddressOf(source)
  const item = url === null ? title : `<a href="${escapeHtml(url)}" rel="noreferrer">${title}</a>`
  return `<li value="${source.number}" dir="auto">${item}</li>`
}

const pageHead = (title: string, language: Language): string => `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style></head>
<body><main><h1 dir="auto">${escapeHtml(title)}</h1>
`

const style = `
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem; }
section { margin: 1.5rem 0; }
section.user { border-inline-start: 3px solid #2a8074; padding-inline-start: 1rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: .95rem; margin: 0 0 .4rem; }
time { font-weight: 400; opacity: .7; margin-inline-start: .4rem; }
pre { overflow-x: auto; padding: .7rem; border: 1px solid #8884; border-radius: 6px; white-space: pre-wrap; font-size: .88em; }
code { font-family: ui-monospace, monospace; }
table { border-collapse: collapse; }
th, td { border: 1px solid #8886; padding: .3rem .6rem; text-align: start; }
blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid #8886; }
img { max-width: 100%; max-height: 30rem; border-radius: 6px; width: auto; height: auto; }
img.diagram { max-height: none; }
math[display="block"] { overflow-x: auto; margin-block: .6rem; }
.file, .call, .sources, .tags { font-size: .88rem; opacity: .85; }
@media print {
  body { font-size: 11pt; }
  main { max-width: none; padding: 0; }
  h1, h2, h3, h4 { break-after: avoid; }
  pre, table, img, math, blockquote { break-inside: avoid; }
  img.diagram { max-height: 100vh; }
  a[href^="http"]::after { content: " (" attr(href) ")"; font-size: .8em; }
}
`
