/** What a block of code becomes as an artifact. Pure. */
import type { ArtifactKind } from '@atrium/contract/artifacts'

export interface MadeArtifact {
  readonly kind: ArtifactKind
  readonly language: string | null
  readonly content: string
  /** As the content calls itself; null where it does not. */
  readonly title: string | null
}

const kinds: Readonly<Record<string, ArtifactKind>> = {
  html: 'html',
  xhtml: 'html',
  jsx: 'react',
  tsx: 'react',
  svg: 'svg',
  mermaid: 'mermaid',
  markdown: 'markdown',
  md: 'markdown',
  csv: 'csv',
}
/** Shorter code is read where it stands. */
const fewestLines = 20

/** null: it is better read where it stands. */
export function artifactFrom(language: string, content: string): MadeArtifact | null {
  const name = language.trim().toLowerCase()
  const kind = name === 'xml' && /^\s*<svg[\s>]/.test(content) ? 'svg' : kinds[name]
  if (kind) return { kind, language: null, content, title: titleOf(kind, content) }
  if (content.split('\n').length < fewestLines) return null
  if (name === 'json') return { kind: 'json', language: null, content, title: null }
  return { kind: 'code', language: /^[\w+#.-]{1,40}$/.test(name) ? name : null, content, title: null }
}

export interface FencedBlock {
  readonly language: string
  readonly content: string
  /** Its end is there. */
  readonly closed: boolean
}

/** The fenced blocks of a Markdown text (CommonMark 4.5) that stand in no other block; the last one may be open. */
export function fencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = []
  let open: { fence: string; language: string; lines: string[] } | null = null
  for (const line of text.split('\n')) {
    const [, fence = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (open && fence.startsWith(open.fence) && rest.trim() === '') {
      blocks.push({ language: open.language, content: open.lines.join('\n'), closed: true })
      open = null
    } else if (open) open.lines.push(line)
    else if (fence !== '' && !(fence.startsWith('`') && rest.includes('`')))
      open = { fence, language: rest.trim().split(/\s/)[0] ?? '', lines: [] }
  }
  if (open) blocks.push({ language: open.language, content: open.lines.join('\n'), closed: false })
  return blocks
}

function titleOf(kind: ArtifactKind, content: string): string | null {
  const start = content.slice(0, 20_000)
  const found =
    kind === 'markdown'
      ? /^#{1,3}\s+(.+)$/m.exec(start)
      : kind === 'react'
        ? /export\s+default\s+(?:async\s+)?function\s+(\w+)/.exec(start)
        : (/<title[^>]*>([^<]+)<\/title>/i.exec(start) ?? /<h1[^>]*>([^<]+)<\/h1>/i.exec(start))
  const title = found?.[1]
    ?.replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 200)
  return title ? title : null
}
