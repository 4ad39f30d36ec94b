/** Tries a tool server step by step with an account's own proof. Each step tells only what was seen. */
import type { ToolServerTestEvent, ToolServerTestStep } from '@atrium/contract/tool-servers'
import { Refusal } from '../../platform/http/refusal.ts'
import type { Circuits } from './circuits.ts'
import { auditNameOf, type ToolServerContext, toolIdOf } from './context.ts'
import { digestOf, readDefinitions } from './definitions.ts'
import { ServerFault, type ServerFaultKind, type ServerLink } from './kind.ts'
import type { AcceptedTool } from './rules.ts'
import { isLocal } from './stdio/file.ts'
import type { StoredServer } from './store.ts'

type StepName = ToolServerTestStep['step']

const order: readonly StepName[] = ['resolve', 'reach', 'authorise', 'revision', 'tools', 'call']
/** Which step a fault says has failed; those before it went well. */
const failedAt: Readonly<Record<ServerFaultKind, StepName>> = {
  unreachable: 'reach',
  timeout: 'reach',
  cancelled: 'reach',
  refused: 'authorise',
  'sign-in': 'authorise',
  protocol: 'revision',
  changed: 'tools',
  'too-large': 'tools',
}

/** Stops when `signal` is aborted. */
export async function* tryServer(
  context: ToolServerContext,
  circuits: Circuits,
  server: StoredServer,
  accountId: string,
  signal: AbortSignal,
): AsyncGenerator<ToolServerTestEvent> {
  const steps: ToolServerTestStep[] = []
  const tell = (step: ToolServerTestStep): ToolServerTestEvent => {
    steps.push(step)
    return { type: 'step', data: step }
  }
  const begin = (step: StepName): ToolServerTestEvent => ({ type: 'started', data: { step } })
  const timed = async <T>(work: () => Promise<T>): Promise<Outcome<T>> => {
    const begun = context.clock.now()
    const ms = () => Math.max(0, Math.round(context.clock.now() - begun))
    try {
      return { ok: true, value: await work(), ms: ms() }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ServerFault) return { ok: false, fault: error, ms: ms() }
      if (error instanceof Refusal) return { ok: false, fault: new ServerFault('unreachable', error.message), ms: ms() }
      throw error
    }
  }
  /** The steps up to where it failed, and the rest as not tried. */
  const failing = (at: StepName, { fault, ms }: Failed): ToolServerTestEvent[] =>
    order.slice(steps.length).map((step) => {
      if (step === at) return tell({ step, state: 'failed', detail: fault.message, ms })
      const isBefore = order.indexOf(step) < order.indexOf(at)
      return tell({ step, state: isBefore ? 'ok' : 'skipped', detail: isBefore ? passed[step] : notTried, ms: 0 })
    })

  yield begin('resolve')
  const { hostname } = new URL(server.baseUrl)
  const resolved = await timed(async () => isLocal(server) || (await context.gateOf(server).check(server.baseUrl)))
  if (!resolved.ok) {
    yield* failing('resolve', resolved)
    yield { type: 'ended', data: { steps } }
    return
  }
  yield tell({
    step: 'resolve',
    state: 'ok',
    detail: isLocal(server) ? 'It runs on this machine.' : `Calls to ${hostname} are allowed.`,
    ms: resolved.ms,
  })

  yield begin('reach')
  context.kinds[server.kind].forget(server.id, accountId)
  const found = await timed(() =>
    circuits.ask(server, accountId, (link) => look(context, link, server, signal), {
      always: true,
      revisionOf: ({ revision }) => revision,
    }),
  )
  if (!found.ok) {
    yield* failing(failedAt[found.fault.kind], found)
    yield { type: 'ended', data: { steps } }
    return
  }
  const { listed, leftOut, digests } = found.value
  const without = leftOut > 0 ? `, and ${leftOut} more that can’t be used` : ''
  const details: Readonly<Record<string, string>> = {
    reach: passed.reach,
    authorise: server.authMode === 'none' ? 'It needs no credential.' : passed.authorise,
    revision: found.value.revision === null ? passed.revision : `It uses ${found.value.revision}.`,
    tools: `It lists ${listed} tools${without}.`,
  }
  for (const step of order.slice(1, 5))
    yield tell({ step, state: 'ok', detail: details[step] ?? '', ms: step === 'reach' ? found.ms : 0 })

  yield begin('call')
  const tool = harmlessTool(server, digests)
  if (!tool) yield tell({ step: 'call', state: 'skipped', detail: nothingHarmless, ms: 0 })
  else {
    const callId = context.clock.id()
    await context.audit.record({
      actor: { kind: 'user', accountId },
      action: 'tool.call',
      target: { type: 'tool', id: toolIdOf(server.id, auditNameOf(context, server, tool.name)) },
      details: { callId, by: 'test' },
    })
    const called = await timed(() =>
      circuits.ask(server, accountId, (link) =>
        context.kinds[server.kind].call(
          link,
          tool,
          {},
          {
            accountId,
            chatId: null,
            callId,
            question: '',
            signal,
            report: () => undefined,
            // Nobody is there to answer.
            ask: async () => null,
          },
        ),
      ),
    )
    if (!called.ok) yield tell({ step: 'call', state: 'failed', detail: called.fault.message, ms: called.ms })
    else if (called.value.isError)
      yield tell({
        step: 'call',
        state: 'failed',
        detail: `${tool.originalName} returned an error.`,
        ms: called.ms,
      })
    else yield tell({ step: 'call', state: 'ok', detail: `${tool.originalName} returned a result.`, ms: called.ms })
  }
  yield { type: 'ended', data: { steps } }
}

/** What a server lists just now; where its document was uploaded, what that said. */
interface Listing {
  readonly revision: string | null
  readonly listed: number
  readonly leftOut: number
  readonly digests: ReadonlySet<string>
}

const look = async (
  { kinds }: ToolServerContext,
  link: ServerLink,
  { kind, isUploaded, tools }: StoredServer,
  signal: AbortSignal,
): Promise<Listing> => {
  if (isUploaded) {
    await kinds[kind].reach?.(link, signal)
    const digests = new Set(tools.accepted.map(({ digest }) => digest))
    return { revision: null, listed: tools.accepted.length, leftOut: tools.leftOut.length, digests }
  }
  const found = await kinds[kind].discover(link, signal)
  const { definitions, leftOut } = readDefinitions(found.tools)
  const digests = new Set(found.tools.map((tool) => digestOf(tool)))
  return { revision: found.revision, listed: definitions.length, leftOut: leftOut.length, digests }
}

type Failed = { readonly ok: false; readonly fault: ServerFault; readonly ms: number }
type Outcome<T> = { readonly ok: true; readonly value: T; readonly ms: number } | Failed

const passed: Readonly<Record<StepName, string>> = {
  resolve: 'Calls to its address are allowed.',
  reach: 'It responded.',
  authorise: 'It accepted the credential.',
  revision: 'It responded as its protocol requires.',
  tools: 'It listed its tools.',
  call: 'It returned a result.',
}
const notTried = 'Skipped because an earlier step failed.'
const nothingHarmless = 'It has no tool that is confirmed as read-only and needs no arguments.'

/** One that an administrator said only reads, that can be called with nothing, and is still what was accepted. */
const harmlessTool = ({ tools }: StoredServer, digests: ReadonlySet<string>): AcceptedTool | null => {
  return (
    tools.accepted.find(({ enabled, sideEffect, inputSchema, digest }) => {
      const { required } = inputSchema
      const needsNothing = required === undefined || (Array.isArray(required) && required.length === 0)
      return enabled && !sideEffect && needsNothing && digests.has(digest)
    }) ?? null
  )
}

/** As the frames of a stream. */
export async function* numberEvents(events: AsyncIterable<ToolServerTestEvent>) {
  let seq = 0
  for await (const event of events) yield { seq: ++seq, event }
}
