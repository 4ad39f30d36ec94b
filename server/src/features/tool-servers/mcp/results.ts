/** Results of MCP tools as ours: words for the model, and every other part as what it is. Nothing of it is fetched. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import type { ToolMedia, ToolOutput, ToolResource } from '../../../core/tools/index.ts'
import { cleanText } from '../definitions.ts'
import { fileOf, nameOfUri } from './files.ts'

const mostNameLetters = 200
const mostAddressLetters = 2000
const mostResources = 100
const unnamedType = 'application/octet-stream'

interface Parts {
  readonly texts: string[]
  readonly media: ToolMedia[]
  readonly resources: ToolResource[]
}

export const toOutput = (result: CallToolResult): ToolOutput => {
  const parts: Parts = { texts: [], media: [], resources: [] }
  for (const block of result.content) take(block, parts)
  const { structuredContent: structured } = result as { structuredContent?: unknown }
  // Most servers that structure a result repeat it as text, for clients that know no better.
  const texts = parts.texts.filter((text) => text !== '' && (structured === undefined || !isSameJson(text, structured)))
  return {
    text: texts.join('\n\n'),
    ...(result.isError === true && { isError: true }),
    ...(parts.media.length > 0 && { media: parts.media }),
    ...(parts.resources.length > 0 && { resources: parts.resources.slice(0, mostResources) }),
    ...(structured !== undefined && { structured }),
  }
}

const take = (block: ContentBlock, { texts, media, resources }: Parts): void => {
  const keep = (one: ToolMedia): void => {
    media.push(one)
    // Models look at pictures; of the rest they are told that the person has it.
    if (!one.mediaType.startsWith('image/'))
      texts.push(`[${one.name}: ${one.mediaType}, ${one.bytes.byteLength} bytes, for the person.]`)
  }
  switch (block.type) {
    case 'text':
      texts.push(block.text)
      break
    case 'image':
    case 'audio':
      keep(toMedia(block.type, block.mimeType, block.data))
      break
    case 'resource_link': {
      const { uri, name, title, description, mimeType } = block
      resources.push({
        uri: cleanText(uri, mostAddressLetters),
        name: cleanText(title || name, mostNameLetters),
        description: cleanText(description ?? '', 500),
        mediaType: mimeType ? cleanText(mimeType, 100) : null,
        text: null,
      })
      break
    }
    case 'resource': {
      const { uri, mimeType } = block.resource
      if ('blob' in block.resource) keep(toMedia(nameOfUri(uri), mimeType, block.resource.blob))
      else
        resources.push({
          uri: cleanText(uri, mostAddressLetters),
          name: nameOfUri(uri),
          description: '',
          mediaType: mimeType ? cleanText(mimeType, 100) : null,
          text: block.resource.text,
        })
      break
    }
    default:
      // Kinds of later revisions: named, and not shown.
      texts.push('The result holds a part of a kind that Atrium doesn’t know.')
  }
}

const toMedia = (name: string, said: string | undefined, base64: string): ToolMedia => {
  const type = said?.split(';')[0]?.trim().toLowerCase() ?? ''
  const mediaType = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : unnamedType
  return { mediaType, bytes: Buffer.from(base64, 'base64'), name: fileOf(name, mediaType, {}).name }
}

const isSameJson = (text: string, value: unknown): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value)
  } catch {
    // It is no JSON.
    return false
  }
}
