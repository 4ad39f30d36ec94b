/**
 * Resources and prompts of MCP servers, for people who put them into a question. What the server says of them is bounded
 * and cleaned; what they hold comes as it is.
 */
import {
  type ContentBlock,
  type PromptMessage,
  ProtocolError,
  type ResourceContents,
  UriTemplate,
} from '@modelcontextprotocol/client'
import {
  mostServerPrompts,
  mostServerResources,
  type ServerFile,
  type ServerPrompt,
  type ServerPromptMessage,
  type ServerResource,
  type ServerResourceTemplate,
} from '@atrium/contract/tool-servers'
import { fail } from '../../../platform/http/refusal.ts'
import { cleanText } from '../definitions.ts'
import type { ServerContent, ServerLink } from '../kind.ts'
import { libraryMs, type OpenConnection } from './connections.ts'
import { fileOf, nameOfUri } from './files.ts'
import { isPlain } from './plain.ts'

/** Asks something of a server, within the bounds of the server as it is registered. */
export type AskServer = <T>(
  link: ServerLink,
  signal: AbortSignal,
  work: (open: OpenConnection, signal: AbortSignal) => Promise<T>,
) => Promise<T>

const mostNameLetters = 200
const mostDescriptionLetters = 1000
const mostArguments = 20
const mostSuggestions = 50
const mostFiles = 20

export const createContent = (ask: AskServer): ServerContent => ({
  listResources: (link, signal) =>
    ask(link, signal, async ({ client }, within) => {
      const options = { signal: within, timeout: libraryMs }
      const { resources } = await client.listResources(undefined, options)
      const { resourceTemplates } = await client
        .listResourceTemplates(undefined, options)
        .catch(unlessUnknown({ resourceTemplates: [] }))
      return {
        items: resources.flatMap(toResource).slice(0, mostServerResources),
        templates: resourceTemplates.flatMap(toTemplate).slice(0, mostServerResources),
      }
    }),

  readResource: (link, where, signal) =>
    told(
      ask(link, signal, async ({ client }, within) => {
        const uri = 'uri' in where ? where.uri : expand(where.template, where.values)
        const { contents } = await client.readResource({ uri }, { signal: within, timeout: libraryMs })
        return contents.slice(0, mostFiles).map((each) => toFile(each))
      }),
    ),

  listPrompts: (link, signal) =>
    ask(link, signal, async ({ client }, within) => {
      const { prompts } = await client.listPrompts(undefined, { signal: within, timeout: libraryMs })
      return prompts.flatMap(toPrompt).slice(0, mostServerPrompts)
    }),

  readPrompt: (link, { name, arguments: args }, signal) =>
    told(
      ask(link, signal, async ({ client }, within) => {
        const { messages } = await client.getPrompt({ name, arguments: args }, { signal: within, timeout: libraryMs })
        return messages.slice(0, mostFiles).map(toMessage)
      }),
    ),

  complete: (link, { of, argument, others }, signal) =>
    ask(link, signal, async ({ client }, within) => {
      const ref =
        'prompt' in of
          ? { type: 'ref/prompt' as const, name: of.prompt }
          : { type: 'ref/resource' as const, uri: of.template }
      const { completion } = await client
        .complete({ ref, argument, context: { arguments: others } }, { signal: within, timeout: libraryMs })
        // A server that suggests nothing is no worse for that.
        .catch(unlessUnknown({ completion: { values: [] } }))
      return completion.values.slice(0, mostSuggestions).filter(isPlain)
    }),
})

/** What the server says of a question is said to the person, in our words. */
const told = async <T>(asking: Promise<T>): Promise<T> => {
  try {
    return await asking
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw fail('tool_server_failed', `The server doesn’t have this, or not with these values (error ${error.code}).`)
  }
}

const unlessUnknown =
  <T>(nothing: T) =>
  (error: unknown): T => {
    if (error instanceof ProtocolError) return nothing
    throw error
  }

interface Named {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

const nameFor = ({ name, title }: Named): string => cleanText(title || name, mostNameLetters)
const descriptionOf = ({ description }: Pick<Named, 'description'>): string =>
  cleanText(description ?? '', mostDescriptionLetters)
const typeOf = (mimeType: string | undefined): string | null => (mimeType ? cleanText(mimeType, 100) : null)

const toResource = (said: Named & { uri: string; mimeType?: string | undefined; size?: number | undefined }) => {
  if (!isPlain(said.uri)) return []
  const { uri, mimeType, size } = said
  const sizeBytes = size !== undefined && Number.isSafeInteger(size) && size >= 0 ? size : null
  const name = nameFor(said) || nameOfUri(uri)
  return [
    { uri, name, description: descriptionOf(said), mediaType: typeOf(mimeType), sizeBytes } satisfies ServerResource,
  ]
}

const toTemplate = (said: Named & { uriTemplate: string; mimeType?: string | undefined }): ServerResourceTemplate[] => {
  const { uriTemplate: template, mimeType } = said
  const variables = isPlain(template) ? variablesOf(template) : null
  if (!variables?.every(isPlain)) return []
  return [{ template, name: nameFor(said), description: descriptionOf(said), mediaType: typeOf(mimeType), variables }]
}

/** null: it is no template. */
const variablesOf = (template: string): string[] | null => {
  try {
    return [...new Set(new UriTemplate(template).variableNames)].slice(0, mostArguments)
  } catch {
    // The library says in which way it is wrong, which is of no use to whoever reads the list.
    return null
  }
}

const expand = (template: string, values: Readonly<Record<string, string>>): string => {
  try {
    return new UriTemplate(template).expand({ ...values })
  } catch {
    throw fail('validation_failed', undefined, [{ path: 'body.template', message: 'isn’t a URI template' }])
  }
}

const toPrompt = (
  said: Named & {
    arguments?:
      | readonly { name: string; description?: string | undefined; required?: boolean | undefined }[]
      | undefined
  },
): ServerPrompt[] => {
  if (!isPlain(said.name) || said.name.length > 512) return []
  const named = (said.arguments ?? []).filter(({ name }) => isPlain(name) && name.length <= 512).slice(0, mostArguments)
  return [
    {
      name: said.name,
      title: nameFor(said),
      description: descriptionOf(said),
      arguments: named.map(({ name, description, required }) => ({
        name,
        description: cleanText(description ?? '', mostDescriptionLetters),
        required: required === true,
      })),
    },
  ]
}

const toFile = (contents: ResourceContents): ServerFile => {
  const { uri, mimeType } = contents
  const mediaType = typeOf(mimeType)
  return 'text' in contents && typeof contents.text === 'string'
    ? fileOf(nameOfUri(uri), mediaType ?? 'text/plain', { text: contents.text })
    : fileOf(nameOfUri(uri), mediaType ?? 'application/octet-stream', {
        base64: 'blob' in contents && typeof contents.blob === 'string' ? contents.blob : '',
      })
}

/** Words without what nobody sees: who reads a message before it is sent shall have read all of it. */
const toMessage = ({ role, content }: PromptMessage): ServerPromptMessage => {
  const { text, files } = toParts(content)
  return { role, text: cleanText(text, 100_000), files }
}

const toParts = (block: ContentBlock): { text: string; files: ServerFile[] } => {
  switch (block.type) {
    case 'text':
      return { text: block.text, files: [] }
    case 'image':
    case 'audio':
      return { text: '', files: [fileOf(block.type, block.mimeType, { base64: block.data })] }
    case 'resource':
      return { text: '', files: [toFile(block.resource)] }
    case 'resource_link':
      return { text: `${block.title ?? block.name} (${block.uri})`, files: [] }
    default:
      // A kind of a later revision.
      return { text: '', files: [] }
  }
}
