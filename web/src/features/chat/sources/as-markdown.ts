import type { Message } from '@atrium/contract/chat'
import { titleOf } from './place.ts'

/** A message as Markdown: its text with the marks of sources as they are, and the sources that they name in a list below. */
export function asMarkdown({ content, sources }: Pick<Message, 'content' | 'sources'>): string {
  const cited = sources.filter((source) => source.cited !== false)
  if (cited.length === 0) return content
  const lines = cited.map((source, index) => {
    const address = source.kind === 'web' && source.url ? `, <${source.url}>` : ''
    return `- \\[${source.number ?? index + 1}\\] ${titleOf(source)}${address}`
  })
  return `${content}\n\n${lines.join('\n')}`
}
