/**
 * One connection to an agent over its input and output, in the Agent Client Protocol, version 1. What it answers is read
 * as a stranger's words. It gets neither our files nor terminals: it has tools of its own.
 */
import { Readable, Writable } from 'node:stream'
import type { ContentBlock, RequestPermissionRequest, SessionUpdate } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import { ProviderFailure } from '../../../providers/types.ts'
import { type AgentDefinition, defaultModel } from '../definition.ts'
import { type AgentProcess, stoppedWorking } from '../process.ts'

export interface TurnListener {
  update(update: SessionUpdate): void
  /** Gives the option that was chosen; null: it may not. */
  permission(request: RequestPermissionRequest): Promise<string | null>
}

export interface TurnEnd {
  readonly stopReason: string
  readonly usage: z.infer<typeof Usage> | null
}

export interface AcpConnection {
  readonly takesImages: boolean
  readonly loadsSessions: boolean
  /** Begins a session and gives its id. */
  open(folder: string, model: string): Promise<string>
  /** Takes up a session that an earlier process had. */
  load(session: string, folder: string): Promise<void>
  prompt(session: string, words: ContentBlock[], listener: TurnListener): Promise<TurnEnd>
  cancel(session: string): Promise<void>
}

const Usage = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cachedReadTokens: z.number().int().nonnegative().nullish(),
})
const Session = z.object({ sessionId: z.string().min(1).max(500), configOptions: z.array(z.unknown()).nullish() })
const Capabilities = z.object({
  protocolVersion: z.number(),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().nullish(),
      promptCapabilities: z.object({ image: z.boolean().nullish() }).nullish(),
    })
    .nullish(),
})
const ModelOption = z.object({ id: z.string(), category: z.literal('model'), type: z.literal('select') })
const PromptEnd = z.object({ stopReason: z.string().max(100), usage: z.unknown() })

/** Of one message. */
const maxMessageBytes = 2_000_000
const protocolVersion = 1
const lastWordMs = 500
/** The code by which an agent says that somebody has to sign in first. */
const signInNeeded = -32000

/** Connects, and says who we are. Throws ProviderFailure, `malformed` where the other side does not speak the protocol. */
export const connectAcp = async (agent: AgentDefinition, process: AgentProcess): Promise<AcpConnection> => {
  // Only who talks to agents pays for it.
  const { client, ndJsonStream } = await import('@agentclientprotocol/sdk')
  const listeners = new Map<string, TurnListener>()
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
    const option = session.configOptions?.map((one) => ModelOption.safeParse(one)).find(({ success }) => success)?.data
    if (!option) throw new ProviderFailure('rejected', `${agent.name} lets nobody choose the model ${model}.`)
    const params = { sessionId: session.sessionId, configId: option.id, value: model }
    await ask('session/set_config_option', params, z.unknown())
  }

  return {
    takesImages: promptCapabilities?.image === true,
    loadsSessions: loadSession === true,
    async open(folder, model) {
      const session = await ask('session/new', { cwd: folder, mcpServers: [] }, Session)
      await chooseModel(session, model)
      return session.sessionId
    },
    async load(session, folder) {
      await ask('session/load', { sessionId: session, cwd: folder, mcpServers: [] }, z.unknown())
    },
    async prompt(session, words, listener) {
      listeners.set(session, listener)
      try {
        const { stopReason, usage } = await ask('session/prompt', { sessionId: session, prompt: words }, PromptEnd)
        return { stopReason, usage: Usage.safeParse(usage).data ?? null }
      } finally {
        listeners.delete(session)
      }
    },
    cancel: (session) => connection.agent.notify('session/cancel', { sessionId: session }),
  }
}

const explain = async (
  { name, signIn }: AgentDefinition,
  process: AgentProcess,
  error: unknown,
): Promise<ProviderFailure> => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  if (code === signInNeeded) {
    const how = signIn ? ` with "${signIn}"` : ''
    return new ProviderFailure('no_key', `${name} is not signed in. Sign in${how} as the user that runs this server.`)
  }
  if (typeof code === 'number') return new ProviderFailure('rejected', `${name} refused (code ${code}).`)
  // Its output may end a moment before it does.
  const how = await Promise.race([process.exited, new Promise<null>((go) => setTimeout(go, lastWordMs, null))])
  if (how !== null) return stoppedWorking(name, how)
  return new ProviderFailure('malformed', `${name} gave an answer that is none of its protocol.`)
}
