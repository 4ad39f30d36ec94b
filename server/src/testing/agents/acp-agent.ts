/**
 * An agent that speaks the Agent Client Protocol over its input and output, for tests: the words of the question say what
 * it does. Run by itself, as agents are.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { agent, type AgentContext, ndJsonStream, RequestError, type SessionUpdate } from '@agentclientprotocol/sdk'

const mode = process.argv[2] ?? ''
if (mode === 'noise') {
  process.stdout.write('Welcome!\nWhat do you want to do?\n> ')
  setInterval(() => process.stdout.write('…\n'), 5)
}
if (mode === 'ends') process.exit(3)
/** Ends, while something that it started holds its output open. */
const endAndLeaveOutput = (): never => {
  spawn('sleep', ['20'], { detached: true, stdio: 'inherit' }).unref()
  process.exit(5)
}

/** Sessions are kept in the folder, as agents keep theirs. */
const sessionFile = (id: string): string => `${id}.words`
let model = mode.startsWith('model:') ? mode.slice('model:'.length) : 'default'

const say = (client: AgentContext, sessionId: string, text: string) =>
  client.notify('session/update', {
    sessionId,
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  })

const askPermission = async (client: AgentContext, sessionId: string, toolCallId: string): Promise<string> => {
  const { outcome } = await client.request('session/request_permission', {
    sessionId,
    toolCall: { toolCallId, title: 'Edit notes.txt', kind: 'edit' },
    options: [
      { optionId: 'yes', name: 'Refuse', kind: 'allow_once' },
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'no', name: 'Allow', kind: 'reject_once' },
    ],
  })
  return outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome
}

const edit = async (client: AgentContext, sessionId: string): Promise<void> => {
  const update = (change: SessionUpdate) => client.notify('session/update', { sessionId, update: change })
  await update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'The file wants a line.' } })
  const steps = (state: 'in_progress' | 'completed') =>
    update({ sessionUpdate: 'plan', entries: [{ content: 'Edit the file', priority: 'high', status: state }] })
  await steps('in_progress')
  await update({
    sessionUpdate: 'tool_call',
    toolCallId: 'edit-1',
    title: 'Edit notes.txt',
    kind: 'edit',
    status: 'pending',
    rawInput: { path: 'notes.txt' },
    locations: [{ path: 'notes.txt', line: 2 }],
    content: [{ type: 'diff', path: 'notes.txt', oldText: 'one\n', newText: 'one\ntwo\n' }],
  })
  const chosen = await askPermission(client, sessionId, 'edit-1')
  const allowed = chosen === 'yes' || chosen === 'always'
  await update({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'edit-1',
    status: allowed ? 'completed' : 'failed',
    content: [
      { type: 'content', content: { type: 'text', text: allowed ? 'One line was added.' : 'It was refused.' } },
    ],
  })
  await steps('completed')
  await say(client, sessionId, allowed ? 'The line is there.' : 'Then not.')
}

const configOptions = [
  {
    type: 'select' as const,
    id: 'model',
    name: 'Model',
    category: 'model',
    currentValue: 'small',
    options: [
      { value: 'small', name: 'Small' },
      { value: 'large', name: 'Large' },
    ],
  },
]

const writeOn = async (client: AgentContext, sessionId: string): Promise<void> => {
  for (;;) await say(client, sessionId, 'x'.repeat(10_000))
}

/** What the question asks for. */
const answer = async (client: AgentContext, sessionId: string, words: string): Promise<void> => {
  if (words.includes('edit the file')) return await edit(client, sessionId)
  if (words.includes('ask a thousand times')) {
    for (let i = 0; i < 1000; i += 1) void askPermission(client, sessionId, `call-${i}`).catch(() => undefined)
    return await new Promise(() => undefined)
  }
  if (words.includes('ask twice about one call')) {
    const first = askPermission(client, sessionId, 'edit-1')
    const second = askPermission(client, sessionId, 'edit-1')
    return await say(client, sessionId, `${await first}, ${await second}`)
  }
  if (words.includes('write without end')) {
    return await writeOn(client, sessionId)
  }
  if (words.includes('leave a child')) {
    const child = spawn('sleep', ['300'], { stdio: 'inherit' })
    if (words.includes('ignore the end')) process.on('SIGTERM', () => undefined)
    await say(client, sessionId, `child ${child.pid}`)
    if (words.includes('go on')) return
    return await new Promise(() => undefined)
  }
  if (words.includes('think first')) await new Promise((go) => setTimeout(go, 500))
  if (words.includes('say nothing')) return await new Promise(() => undefined)
  if (words.includes('crash')) process.exit(7)
  if (words.includes('be signed out'))
    throw RequestError.internalError({ details: 'Invalid API key · Please run /login' })
  if (words.includes('tell your environment'))
    return await say(client, sessionId, Object.keys(process.env).sort().join(' '))
  if (words.includes('tell your settings'))
    return await say(client, sessionId, `${process.env['TESTER_MODE']}, ${process.env['TESTER_SETTING']}`)
  if (words.includes('which model')) return await say(client, sessionId, model)
  await say(client, sessionId, `I was told: ${words}`)
}

if (mode !== 'noise') {
  agent({ name: 'acp-agent' })
    .onRequest('initialize', () => ({
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, promptCapabilities: { image: true } },
      authMethods: [],
    }))
    .onRequest('session/new', async () => {
      if (mode === 'signed-out') throw RequestError.authRequired()
      if (mode === 'mute') return await new Promise<never>(() => undefined)
      if (mode === 'ends-late') endAndLeaveOutput()
      const sessionId = `session-${process.pid}-${Date.now()}`
      if (mode === 'drafts') return { sessionId, models: { availableModels: [{ modelId: 'older', name: 'Older' }] } }
      return { sessionId, configOptions }
    })
    .onRequest('session/load', async ({ params: { sessionId }, client }) => {
      if (!existsSync(sessionFile(sessionId))) throw RequestError.resourceNotFound(sessionId)
      const turns = readFileSync(sessionFile(sessionId), 'utf8')
      if (turns.includes('F')) process.exit(9)
      // All that was said and read is told again.
      if (turns.includes('L')) for (let n = 0; n < 300; n += 1) await say(client, sessionId, 'x'.repeat(10_000))
      return { configOptions }
    })
    .onRequest('session/set_model', z.object({ modelId: z.string() }), ({ params }) => {
      model = params.modelId
      return {}
    })
    .onRequest('session/set_config_option', ({ params }) => {
      model = String(params.value)
      return { configOptions: [] }
    })
    .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
      const words = prompt.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('')
      const isLong = words.includes('have a long past')
      appendFileSync(sessionFile(sessionId), isLong ? 'L' : words.includes('fail to load') ? 'F' : '.')
      await answer(client, sessionId, words)
      const turns = readFileSync(sessionFile(sessionId), 'utf8').length
      if (words.includes('write on')) void writeOn(client, sessionId)
      if (words.includes('without figures')) return { stopReason: 'end_turn' as const }
      return {
        stopReason: 'end_turn' as const,
        usage: { inputTokens: 100, outputTokens: 10 * turns, totalTokens: 110 },
      }
    })
    .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>))
}
