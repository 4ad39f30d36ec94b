/**
 * What the app answers to a page of a tool server (MCP Apps, 2026-01-26): JSON-RPC by messages. The page gets its input and its
 * result, may ask for tools of its server, and nothing else; everything that it says is read by its form, and bounded.
 */
import type { ToolResult } from '@atrium/contract/generation'
import { type PreviewRequest, prefix, readMessage } from '../../preview/messages.ts'
import { isRecord } from '../parse.ts'

const revision = '2026-01-26'
/** Pixels. */
const heights = { least: 160, most: 640 }
/** Of calls that have not ended. */
const mostCalls = 4

export interface AppHostParts {
  readonly input: unknown
  readonly result: Pick<ToolResult, 'status' | 'text' | 'structured'>
  readonly resize: (height: number) => void
  readonly callTool: (
    name: string,
    args: Record<string, unknown>,
  ) => Promise<{ readonly isError: boolean; readonly text: string; readonly structured: string | null }>
}

type Reply = (message: object) => void

/** Gives a function that hears what a page says, and gives what the page asks its person for. */
export function createAppHost({ input, result, resize, callTool }: AppHostParts) {
  let calls = 0

  const callFor = async (params: unknown): Promise<object> => {
    const { name, arguments: args = {} } = isRecord(params) ? params : {}
    if (typeof name !== 'string' || name === '' || name.length > 512 || !isRecord(args)) throw new Error('Invalid call')
    if (calls >= mostCalls) throw new Error('Too many calls at once')
    calls += 1
    try {
      const { isError, text, structured } = await callTool(name, args)
      return toCallResult(text, structured, isError)
    } finally {
      calls -= 1
    }
  }

  return (data: unknown, reply: Reply): PreviewRequest | null => {
    if (!isRecord(data) || data['jsonrpc'] !== '2.0' || typeof data['method'] !== 'string') return null
    const { id, method, params } = data
    const isAsked = typeof id === 'string' || typeof id === 'number'
    const give = (given: object) => isAsked && reply({ jsonrpc: '2.0', id, result: given })
    const refuse = (code: number, message: string) => isAsked && reply({ jsonrpc: '2.0', id, error: { code, message } })
    switch (method) {
      case 'ping':
        give({})
        return null
      case 'ui/initialize':
        give({
          protocolVersion: revision,
          hostInfo: { name: 'Atrium', version: '1' },
          hostCapabilities: { serverTools: {}, openLinks: {} },
          hostContext: { theme: 'light', displayMode: 'inline', availableDisplayModes: ['inline'], platform: 'web' },
        })
        return null
      case 'ui/notifications/initialized':
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
      case 'tools/call':
        if (!isAsked) return null
        callFor(params).then(give, (error: unknown) =>
          refuse(-32000, error instanceof Error ? error.message : 'It could not be called'),
        )
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
      default:
        // Messages in the name of the person, other resources and the rest are not for pages.
        refuse(-32601, 'Method not found')
        return null
    }
  }
}

const toCallResult = (text: string, structured: string | null, isError: boolean): object => ({
  content: [{ type: 'text', text }],
  ...(structured !== null && { structuredContent: JSON.parse(structured) as unknown }),
  isError,
})
