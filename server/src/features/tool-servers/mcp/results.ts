/** Results of MCP tools as ours: text for the model, pictures and sound as they are, everything else named in the text. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import type { ToolMedia, ToolOutput } from '../../../core/tools/index.ts'
import { cleanText } from '../definitions.ts'

const shown = /^(image\/(png|jpeg|gif|webp|avif)|audio\/(mpeg|mp4|ogg|wav|x-wav|webm|flac|aac))$/
const mostNameLetters = 200

/** Keeps pictures and sound of known types as media; everything else becomes text. */
export const toOutput = (result: CallToolResult): ToolOutput => {
  const media: ToolMedia[] = []
  const texts = result.content.map((block) => textOf(block, media)).filter((text) => text !== '')
  const { structuredContent } = result as { structuredContent?: unknown }
  // Most servers that structure a result repeat it as text, for clients that know no better.
  if (structuredContent !== undefined && !texts.some((text) => isSameJson(text, structuredContent)))
    texts.push(JSON.stringify(structuredContent, null, 1))
  return {
    text: texts.join('\n\n'),
    ...(result.isError === true ? { isError: true } : {}),
    ...(media.length > 0 ? { media } : {}),
  }
}

/** What a block says; what cannot be said in words goes to `media`. */
const textOf = (block: ContentBlock, media: ToolMedia[]): string => {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return keepMedia(media, { mediaType: block.mimeType, data: block.data, name: block.type })
    case 'resource_link': {
      const { uri, name, title, description, mimeType } = block
      const about = [title ?? name, mimeType, description].filter(Boolean).map((each) => cleanText(String(each), 500))
      return `Resource ${cleanText(uri, 2000)} (${about.join('; ')})`
    }
    case 'resource': {
      const { uri, mimeType } = block.resource
      const name = `Resource ${cleanText(uri, 2000)}${mimeType ? ` (${cleanText(mimeType, 100)})` : ''}`
      if ('text' in block.resource) return `${name}:\n${block.resource.text}`
      return keepMedia(media, { mediaType: mimeType ?? '', data: block.resource.blob, name })
    }
    default:
      // Kinds of later revisions: named, and not shown.
      return 'The result holds a part of a kind that Atrium doesn’t know.'
  }
}

const keepMedia = (media: ToolMedia[], part: { mediaType: string; data: string; name: string }): string => {
  const mediaType = part.mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  const bytes = Buffer.from(part.data, 'base64')
  const name = cleanText(part.name, mostNameLetters)
  if (!shown.test(mediaType) || bytes.byteLength === 0)
    return `${name}: a file of ${bytes.byteLength} bytes that can’t be shown.`
  media.push({ mediaType, bytes, name })
  return ''
}

const isSameJson = (text: string, value: unknown): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value)
  } catch {
    // It is no JSON.
    return false
  }
}
