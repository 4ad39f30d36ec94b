/**
 * What the app answers to a page of a tool server (MCP Apps, 2026-01-26): JSON-RPC by messages. The page gets its input, its
 * result and how it is shown; it may ask for tools and resources of its server, and to word a message; everything that it
 * says is read by its form, and bounded.
 */
import type { ToolResult } from '@atrium/contract/generation'
import { type PreviewRequest, prefix, readMessage } from '../../preview/messages.ts'
import { isRecord } from '../parse.ts'
import type { HostContext } from './host-context.ts'

const revision = '2026-01-26'
/** Pixels. */
const heights = { least: 160, most: 640 }
/** Of calls that have not ended. */
const mostCalls = 4
const mostAddressLetters = 4000
const mostMessageLetters = 8000

export interface AppHostParts {
  readonly input: unknown
  readonly result: Pick<ToolResult, 'status' | 'text' | 'structured'>
  readonly context: () => HostContext
  readonly resize: (height: number) => void
  readonly callTool: (
    name: string,
    args: Record<string, unknown>,
  ) => Promise<{ readonly isError: boolean; readonly text: string; readonly structured: string | null }>
  /** Reads a resource of the same server once the person allows it; absent: nothing can be read. */
  readonly readResource?: ((uri: string) => Promise<readonly ResourceContents[]>) | undefined
  /** Offers the person a message, and tells whether they took it; absent: nothing is written here. */
  readonly offerMessage?: ((text: string) => Promise<boolean>) | undefined
}

/** As `resources/read` gives them. */
export interface ResourceContents {
  readonly uri: string
  readonly mimeType: string
  readonly text?: string
  readonly blob?: string
}

type Reply = (message: object) => void

export interface AppHost {
  /** Hears what a page says, and gives what the page asks its person for. */
  hear(data: unknown, reply: Reply): PreviewRequest | null
  /** Tells a page that is there how it is shown by now. */
  sendContext(context: HostContext): void
}

export function createAppHost(parts: AppHostParts): AppHost {
  const { input, result, context, resize, callTool, readResource, offerMessage } = parts
  let calls = 0
  let page: Reply | null = null

  const bounded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (calls >= mostCalls) throw new Error('Too many calls at once')
    calls += 1
    try {
      return await work()
    } finally {
      calls -= 1
    }
  }
  const callFor = (params: unknown): Promise<object> => {
    const { name, arguments: args = {} } = isRecord(params) ? params : {}
    if (typeof name !== 'string' || name === '' || name.length > 512 || !isRecord(args)) throw new Error('Invalid call')
    return bounded(async () => {
      const { isError, text, structured } = await callTool(name, args)
      return toCallResult(text, structured, isError)
    })
  }
  const readFor = (read: NonNullable<typeof readResource>, params: unknown): Promise<object> => {
    const { uri } = isRecord(params) ? params : {}
    if (typeof uri !== 'string' || uri === '' || uri.length > mostAddressLetters) throw new Error('Invalid address')
    return bounded(async () => ({ contents: await read(uri) }))
  }
  const messageFor = (offer: NonNullable<typeof offerMessage>, params: unknown): Promise<object> => {
    const text = readText(params)
    if (text === null) throw new Error('Only text can be written, and not at any length')
    return bounded(async () => {
      if (!(await offer(text))) throw new Error('Denied by the user')
      return {}
    })
  }

  const hear: AppHost['hear'] = (data, reply) => {
    if (!isRecord(data) || data['jsonrpc'] !== '2.0' || typeof data['method'] !== 'string') return null
    const { id, method, params } = data
    const isAsked = typeof id === 'string' || typeof id === 'number'
    const give = (given: object) => isAsked && reply({ jsonrpc: '2.0', id, result: given })
    const refuse = (code: number, message: string) => isAsked && reply({ jsonrpc: '2.0', id, error: { code, message } })
    const answer = (work: () => Promise<object>): void => {
      if (!isAsked) return
      const later = async () => await work()
      later().then(give, (error: unknown) =>
        refuse(-32000, error instanceof Error ? error.message : 'It could not be done'),
      )
    }
    switch (method) {
      case 'ping':
        give({})
        return null
      case 'ui/initialize':
        give({
          protocolVersion: revision,
          hostInfo: { name: 'Atrium', version: '1' },
          hostCapabilities: {
            serverTools: {},
            openLinks: {},
            ...(readResource && { serverResources: {} }),
            ...(offerMessage && { message: { text: {} } }),
          },
          hostContext: {
            ...context(),
            displayMode: 'inline',
            availableDisplayModes: ['inline'],
            containerDimensions: { maxHeight: heights.most },
            platform: 'web',
          },
        })
        return null
      case 'ui/notifications/initialized':
        page = reply
        reply({ jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: input } })
        reply({
          jsonrpc: '2.0',
          method: 'ui/notifications/tool-result',
          params: toCallResult(result.text, result.structured ?? null, result.status === 'failed'),
        })
        return null
      case 'ui/notifications/size-changed': {
        const { height } = isRecord(params) ? params : {}
        if (typeof height === 'number' && Number.isFinite(height))
          resize(Math.min(Math.max(Math.ceil(height), heights.least), heights.most))
        return null
      }
      case 'ui/request-display-mode':
        // There is one way in which pages are shown, whatever they ask for.
        give({ mode: 'inline' })
        return null
      case 'tools/call':
        answer(() => callFor(params))
        return null
      case 'ui/open-link': {
        const { url } = isRecord(params) ? params : {}
        const asked = readMessage({ type: `${prefix}link`, address: url })
        if (asked?.type !== 'link') {
          refuse(-32602, 'Not an address on the web')
          return null
        }
        give({})
        return asked
      }
      case 'resources/read':
        if (!readResource) break
        answer(() => readFor(readResource, params))
        return null
      case 'ui/message':
        if (!offerMessage) break
        answer(() => messageFor(offerMessage, params))
        return null
    }
    refuse(-32601, 'Method not found')
    return null
  }

  return {
    hear,
    sendContext: (now) => page?.({ jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: now }),
  }
}

const toCallResult = (text: string, structured: string | null, isError: boolean): object => ({
  content: [{ type: 'text', text }],
  ...(structured !== null && { structuredContent: JSON.parse(structured) as unknown }),
  isError,
})

/** The text of a message in the name of the person, without what nobody sees; null: it is none. */
const readText = (params: unknown): string | null => {
  const { role, content } = isRecord(params) ? params : {}
  if (role !== 'user') return null
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  const texts = blocks.map((block) =>
    isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? block['text'] : null,
  )
  if (texts.includes(null)) return null
  const text = texts
    .join('\n\n')
    .replace(/[^\P{C}\n\t]/gu, '')
    .trim()
  return text === '' || text.length > mostMessageLetters ? null : text
}
