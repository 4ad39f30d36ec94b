/**
 * One connection to an agent over its input and output, in the Agent Client Protocol, version 1. What it answers is read
 * as a stranger's words. It gets neither our files nor terminals: it has tools of its own.
 */
import { Readable, Writable } from 'node:stream'
import type { ContentBlock, RequestPermissionRequest, SessionUpdate } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import { type Part, ProviderFailure } from '../../../providers/types.ts'
import { cutText, maxIdChars } from '../calls.ts'
import { type AgentConnection, signInNeeded } from '../connection.ts'
import { type AgentDefinition, defaultModel } from '../definition.ts'
import { type AgentProcess, rejectGone, stoppedWorking } from '../process.ts'
import type { AgentWords } from '../words.ts'
import { decisionsOf, optionOf } from './permissions.ts'
import { createUpdateReader } from './updates.ts'

export interface AcpConnection extends AgentConnection {
  /** The models that a session can have; begins one. */
  listModels(folder: string): Promise<string[]>
}

/** What the turn of a session takes of the agent. */
interface SessionListener {
  update(update: SessionUpdate): void
  /** Gives the option that was chosen; null: it may not. */
  permission(request: RequestPermissionRequest): Promise<string | null>
}

const Usage = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cachedReadTokens: z.number().int().nonnegative().nullish(),
})
const Session = z.object({
  sessionId: z.string().min(1).max(500),
  configOptions: z.array(z.unknown()).nullish(),
  /** As drafts of the protocol had it, which many agents speak. */
  models: z.object({ availableModels: z.array(z.object({ modelId: z.string().min(1).max(200) })) }).nullish(),
})
/** Of a session that is taken up again; not every agent says something. */
const LoadedSession = Session.omit({ sessionId: true }).nullish()
const Capabilities = z.object({
  protocolVersion: z.number(),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().nullish(),
      promptCapabilities: z.object({ image: z.boolean().nullish() }).nullish(),
    })
    .nullish(),
})
const Choice = z.object({ value: z.string().min(1).max(200) })
const ModelOption = z.object({
  id: z.string(),
  category: z.literal('model'),
  type: z.literal('select'),
  options: z.array(z.union([Choice, z.object({ options: z.array(Choice) })])),
})
/** Not every agent counts. */
const PromptEnd = z.object({ stopReason: z.string().max(100), usage: z.unknown().optional() })

/** Of one message. */
const maxMessageBytes = 2_000_000
const protocolVersion = 1
const lastWordMs = 500
/** The code by which an agent says that somebody has to sign in first. */
const signInCode = -32000

const reasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  cancelled: 'stop',
  max_tokens: 'length',
  max_turn_requests: 'length',
  refusal: 'content_filter',
}

/** Connects, and says who we are. Throws ProviderFailure, `malformed` where the other side does not speak the protocol. */
export const connectAcp = async (agent: AgentDefinition, process: AgentProcess): Promise<AcpConnection> => {
  // Only who talks to agents pays for it.
  const { client, ndJsonStream } = await import('@agentclientprotocol/sdk')
  const listeners = new Map<string, SessionListener>()
  const stream = ndJsonStream(
    Writable.toWeb(process.stdin),
    Readable.toWeb(process.stdout) as ReadableStream<Uint8Array>,
    { maxMessageBytes },
  )
  const connection = client({ name: 'atrium' })
    .onNotification('session/update', ({ params }) => listeners.get(params.sessionId)?.update(params.update))
    .onRequest('session/request_permission', async ({ params }) => {
      const optionId = (await listeners.get(params.sessionId)?.permission(params)) ?? null
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } }
    })
    .connect(stream)

  /** Asks the agent; its faults, and words that are none of the protocol, become ours. */
  const ask = async <T>(method: string, params: unknown, answer: z.ZodType<T>): Promise<T> => {
    try {
      return answer.parse(await connection.agent.request(method, params))
    } catch (error) {
      throw await explain(agent, process, error)
    }
  }

  const said = await ask(
    'initialize',
    {
      protocolVersion,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'atrium', title: 'Atrium', version: '1' },
    },
    Capabilities,
  )
  if (said.protocolVersion !== protocolVersion) {
    throw new ProviderFailure('malformed', `${agent.name} speaks another version of the protocol than this server.`)
  }
  const { loadSession, promptCapabilities } = said.agentCapabilities ?? {}

  const chooseModel = async (session: z.infer<typeof Session>, model: string): Promise<void> => {
    if (model === defaultModel || agent.modelArgs) return
    const { sessionId } = session
    const option = modelOption(session)
    if (option) {
      await ask('session/set_config_option', { sessionId, configId: option.id, value: model }, z.unknown())
    } else if (session.models) await ask('session/set_model', { sessionId, modelId: model }, z.unknown())
    else throw new ProviderFailure('rejected', `${agent.name} lets nobody choose the model ${model}.`)
  }

  const begin = (folder: string) => ask('session/new', { cwd: folder, mcpServers: [] }, Session)

  const open = async (folder: string, model: string): Promise<string> => {
    const session = await begin(folder)
    await chooseModel(session, model)
    return session.sessionId
  }

  const takesImages = promptCapabilities?.image === true
  // Its output may stay open when it is gone: what it started may hold it.
  const gone = rejectGone(process, agent.name)
  gone.catch(() => undefined)
  return {
    takesImages,
    opensSessions: true,
    staysOpen: true,
    async enter({ folder, model, resume, isOpen }) {
      if (resume !== null && isOpen) return { session: resume, isKnown: true }
      if (resume !== null && loadSession === true) {
        try {
          const loaded = await ask('session/load', { sessionId: resume, cwd: folder, mcpServers: [] }, LoadedSession)
          // In a process of its own the session has the model that is usual there.
          await chooseModel({ ...loaded, sessionId: resume }, model)
          return { session: resume, isKnown: true }
        } catch (error) {
          // It has forgotten the session or its model; the words of the chat are enough to go on with.
          if (!(error instanceof ProviderFailure)) throw error
        }
      }
      return { session: await open(folder, model), isKnown: false }
    },
    async prompt(session, words, listener) {
      const reader = createUpdateReader()
      listeners.set(session, {
        update: (update) => listener.tell(() => reader.update(update)),
        async permission({ toolCall, options }) {
          listener.tell(() => reader.call(toolCall))
          const callId = cutText(toolCall.toolCallId, maxIdChars)
          const decision = await listener.ask({ callId, decisions: decisionsOf(options) })
          return decision === null ? null : optionOf(options, decision)
        },
      })
      try {
        const params = { sessionId: session, prompt: blocksOf(words, takesImages) }
        const { stopReason, usage } = await Promise.race([ask('session/prompt', params, PromptEnd), gone])
        const reason = reasons[stopReason] ?? 'stop'
        listener.tell(() => [...reader.end(), ...usageOf(usage), { type: 'finish', reason }])
        return { session }
      } finally {
        listeners.delete(session)
      }
    },
    async listModels(folder) {
      const session = await begin(folder)
      const options = modelOption(session)?.options.flatMap((one) => ('options' in one ? one.options : [one]))
      return options?.map(({ value }) => value) ?? session.models?.availableModels.map(({ modelId }) => modelId) ?? []
    },
    cancel: (session) => connection.agent.notify('session/cancel', { sessionId: session }),
  }
}

const modelOption = ({ configOptions }: z.infer<typeof Session>) =>
  configOptions?.map((one) => ModelOption.safeParse(one)).find(({ success }) => success)?.data

const blocksOf = ({ text, images }: AgentWords, takesImages: boolean): ContentBlock[] => [
  { type: 'text', text },
  ...(takesImages ? images.map(({ mediaType, data }) => ({ type: 'image' as const, mimeType: mediaType, data })) : []),
]

const usageOf = (said: unknown): Part[] => {
  const usage = Usage.safeParse(said).data
  if (!usage) return []
  const { inputTokens, outputTokens, cachedReadTokens } = usage
  return [{ type: 'usage', inputTokens, outputTokens, cachedTokens: cachedReadTokens ?? undefined }]
}

/** Some agents say it in words alone. Nobody is shown those. */
const wantsSignIn = (error: unknown): boolean => {
  const { message, data } = error as { readonly message?: unknown; readonly data?: unknown }
  const said = `${String(message)} ${typeof data === 'string' ? data : (JSON.stringify(data) ?? '')}`
  return /\b(log|sign)(ged)?[ -]?in\b|\/login|authenticat|unauthori[sz]ed|\b401\b|api key/i.test(said)
}

const explain = async (agent: AgentDefinition, process: AgentProcess, error: unknown): Promise<ProviderFailure> => {
  const { name } = agent
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  if (code === signInCode || (typeof code === 'number' && wantsSignIn(error))) return signInNeeded(agent)
  if (typeof code === 'number') return new ProviderFailure('rejected', `${name} refused (code ${code}).`)
  // Its output may end a moment before it does.
  const how = await Promise.race([process.exited, new Promise<null>((go) => setTimeout(go, lastWordMs, null))])
  if (how !== null) return stoppedWorking(name, how)
  return new ProviderFailure('malformed', `${name} gave an answer that is none of its protocol.`)
}
