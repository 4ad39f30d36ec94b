/**
 * Servers of the Model Context Protocol, over Streamable HTTP and the older HTTP with server-sent events, in the revisions
 * 2026-07-28 and 2025-11-25. Asked by a server for a model's answer, for folders or for log levels, it declines.
 */
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import {
  type CallContext,
  type ListedTool,
  type OfferedContent,
  type PinnedTool,
  ServerFault,
  type ServerKind,
  type ServerLink,
} from '../kind.ts'
import type { ToolMedia, ToolOutput } from '../../../core/tools/index.ts'
import { cleanText, digestOf } from '../definitions.ts'
import { toFault } from '../gated-fetch.ts'
import { type AppOfTool, appOf, readApp, readAppOf } from './apps.ts'
import { createContent } from './content.ts'
import {
  type ConnectionParts,
  createConnections,
  libraryMs,
  type OpenConnection,
  type Question,
} from './connections.ts'
import { startDeadline } from './deadline.ts'
import { openPages } from './elicitation.ts'
import { watchStreams } from './streams.ts'
import { toOutput } from './results.ts'

const discoverMs = 30_000
/** Bytes of all pages of definitions together. */
const mostListBytes = 4 * 1024 * 1024
/** A person is told of progress no more often. */
const progressEveryMs = 100
const mostAppBytes = 4 * 1024 * 1024
/** For so long a list of tools is believed at least and at most, whatever the server says. */
const believedMs = { least: 60_000, most: 60 * 60_000 } as const

export const createMcpKind = (parts: ConnectionParts) => {
  const connections = createConnections(parts)

  /** Asks within bounds; everything that goes wrong comes as a fault, what the server says of a call as ProtocolError. */
  const ask = async <T>(
    link: ServerLink,
    bounds: { readonly maxBytes: number; readonly timeoutMs: number; readonly signal: AbortSignal },
    context: CallContext | null,
    work: (question: Question, open: OpenConnection) => Promise<T>,
  ): Promise<T> => {
    const over = new AbortController()
    const deadline = startDeadline(bounds.timeoutMs, AbortSignal.any([bounds.signal, over.signal]))
    const watch = watchStreams(deadline)
    // Silence is the deadline's, which stands still while a person is asked.
    const within = {
      maxBytes: bounds.maxBytes,
      timeoutMs: libraryMs,
      signal: deadline.signal,
      onStream: watch.onStream,
    }
    const fetch = watch.counting(link.fetchWithin(within))
    let left = bounds.maxBytes
    const spend = (bytes: number): void => {
      left -= bytes
      if (left < 0) watch.breakOff(new ServerFault('too-large', 'The answer is larger than allowed.'))
    }
    const question: Question = { link, fetch, deadline, broken: watch.breakOff, spend, ask: context?.ask ?? null }
    try {
      return await Promise.race([connections.use(question, (open) => work(question, open)), watch.broken])
    } catch (error) {
      // What is given up here is waited for by nobody.
      over.abort()
      if (error instanceof ProtocolError) throw error
      if (bounds.signal.aborted) throw new ServerFault('cancelled', 'The call was cancelled.')
      if (deadline.isLate()) throw new ServerFault('timeout', 'The server took too long to answer.')
      throw error instanceof ServerFault ? error : (link.lastFault() ?? faultOf(error))
    } finally {
      watch.end()
      deadline.end()
    }
  }

  /** Whether the tool is still the one that was accepted, as far as the server tells; it is asked when it may not be. */
  const requireUnchanged = async (question: Question, open: OpenConnection, tool: PinnedTool): Promise<void> => {
    if (tool.digest === undefined) return
    if (open.digests === null || performance.now() > open.digestsUntil) {
      const { link, deadline } = question
      const bounds = { maxBytes: mostListBytes, timeoutMs: discoverMs, signal: deadline.signal }
      await connections.within(question, link.fetchWithin(bounds), () => listTools(open, deadline.signal))
    }
    const digest = open.digests?.get(tool.originalName)
    if (digest === undefined) throw new ServerFault('changed', 'The server no longer has this tool.')
    if (digest !== tool.digest)
      throw new ServerFault(
        'changed',
        'This tool has changed at the server. It can be used again once an administrator accepts the change.',
      )
  }

  /** The page that shows the results of a tool, where it has one. A call is no worse for a page that doesn’t come. */
  const appFor = async (question: Question, open: OpenConnection, tool: PinnedTool): Promise<ToolMedia | null> => {
    const uri = readAppOf(tool.call)
    if (uri === null) return null
    const { link, deadline } = question
    const bounds = { maxBytes: mostAppBytes, timeoutMs: discoverMs, signal: deadline.signal }
    const options = { signal: deadline.signal, timeout: libraryMs }
    const reading = () => readApp(open.client, uri, options)
    // The tool has done what it does: a page that doesn’t come makes that no failure.
    return await connections.within(question, link.fetchWithin(bounds), reading).catch(() => {
      deadline.signal.throwIfAborted()
      return null
    })
  }

  return {
    async discover(link, signal) {
      const bounds = { maxBytes: mostListBytes, timeoutMs: discoverMs, signal }
      try {
        return await ask(link, bounds, null, async (_question, open) => ({
          revision: open.revision,
          tools: await listTools(open, signal),
          offers: offersOf(open),
        }))
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
        throw new ServerFault('protocol', `The server answered with an error (${error.code}).`)
      }
    },

    async call(link, tool, args, context) {
      const { maxResponseBytes: maxBytes, timeoutMs } = link.server
      const { signal } = context
      try {
        return await ask(link, { maxBytes, timeoutMs, signal }, context, async (question, open) => {
          await requireUnchanged(question, open, tool)
          const { client } = open
          const callTool = () =>
            client.callTool(
              { name: tool.originalName, arguments: { ...args } },
              {
                signal: question.deadline.signal,
                timeout: libraryMs,
                toolDefinition: { name: tool.originalName, inputSchema: { ...tool.inputSchema, type: 'object' } },
                onprogress: reporter(context),
              },
            )
          const result = await callTool().catch(async (error: unknown) => {
            if (!(error instanceof UrlElicitationRequiredError) || !(await openPages(error, question))) throw error
            return await callTool()
          })
          return withApp(toOutput(result), await appFor(question, open, tool))
        })
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
        return { text: `The server refused the call: ${cleanText(error.message, 2000)}`, isError: true }
      }
    },

    content: createContent((link, signal, work) => {
      const { maxResponseBytes: maxBytes, timeoutMs } = link.server
      return ask(link, { maxBytes, timeoutMs, signal }, null, ({ deadline }, open) => work(open, deadline.signal))
    }),

    forget: connections.forget,
    close: connections.close,
  } satisfies ServerKind
}

const listTools = async (open: OpenConnection, signal: AbortSignal): Promise<ListedTool[]> => {
  const { tools, ttlMs } = await open.client.listTools(undefined, { signal, timeout: libraryMs, cacheMode: 'refresh' })
  const listed = tools.map((tool) => toListedTool(tool, appOf(open.client, tool._meta)))
  // Of two with one name the first counts, as where they are accepted.
  open.digests = new Map(listed.toReversed().map((tool) => [tool.name, digestOf(tool)]))
  const ms = typeof ttlMs === 'number' ? ttlMs : believedMs.least
  open.digestsUntil = performance.now() + Math.min(Math.max(ms, believedMs.least), believedMs.most)
  return listed
}

const offersOf = ({ client }: OpenConnection): OfferedContent => {
  const { resources, prompts } = client.getServerCapabilities() ?? {}
  return { resources: resources !== undefined, prompts: prompts !== undefined }
}

const withApp = (output: ToolOutput, page: ToolMedia | null): ToolOutput =>
  page === null || output.isError ? output : { ...output, media: [...(output.media ?? []), page] }

const toListedTool = (
  tool: {
    name: string
    title?: string | undefined
    description?: string | undefined
    inputSchema: unknown
    annotations?: { title?: string | undefined; readOnlyHint?: boolean | undefined } | undefined
  },
  app: AppOfTool | null,
): ListedTool => ({
  name: tool.name,
  title: tool.title ?? tool.annotations?.title,
  description: tool.description,
  inputSchema: tool.inputSchema,
  claimsReadOnly: tool.annotations?.readOnlyHint === true,
  ...(app && { call: app }),
})

const reporter = ({ report }: CallContext) => {
  let last = Number.NEGATIVE_INFINITY
  return ({ progress, total, message }: { progress: number; total?: number; message?: string }): void => {
    const now = performance.now()
    if (now - last < progressEveryMs || !Number.isFinite(progress)) return
    last = now
    const words = message ? { message: cleanText(message, 200) } : {}
    report({ done: progress, total: total !== undefined && Number.isFinite(total) ? total : null, ...words })
  }
}

/** What the library says where the network was not at fault. */
const faultOf = (error: unknown): ServerFault => {
  if (error instanceof UnauthorizedError) return new ServerFault('refused', 'The server requires a credential.')
  if (error instanceof SdkHttpError)
    return new ServerFault('protocol', `The server responded with HTTP ${error.status}, unlike an MCP server.`)
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new ServerFault('timeout', 'The server took too long to answer.')
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)
    return new ServerFault('unreachable', 'The connection broke off before the answer was complete.')
  return toFault(error)
}
