import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { accountsRoutes } from '@atrium/contract/accounts'
import { agentCliRoutes } from '@atrium/contract/agent-cli'
import { automationsRoutes } from '@atrium/contract/automations'
import { type ChatEvent, chatRoutes, type Message } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import { connectionsRoutes } from '@atrium/contract/connections'
import { groupsRoutes } from '@atrium/contract/groups'
import { usageRoutes } from '@atrium/contract/usage'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { agentCommands, agentEnvironment } from '../../testing/agents/environment.ts'
import { isAlive } from '../../testing/agents/is-alive.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'

/** The head of a picture. */
const picture = new Blob(
  [Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000100000000000', 'hex'), Buffer.alloc(15)],
  {
    type: 'image/png',
  },
)
const patient = { timeout: 120_000, interval: 25 }
const selectionOf = (providerId: string, model = 'default'): Selection => ({ providerType: 'agent', providerId, model })

let app: TestApp
let admin: Client
let member: Client

beforeAll(async () => {
  app = await startTestApp({ env: { ...agentEnvironment, HOME: '/', A_SECRET: 'hush', TESTER_SETTING: 'own' } })
  admin = await app.signUpAdmin()
  member = await app.signUpUser()
})
afterAll(() => app.close())

const allow = (audience: 'admins' | 'all-users' = 'admins') =>
  admin.call(agentCliRoutes.updateAccess, { body: { enabled: true, audience } })

const newChat = async (selection = selectionOf('tester'), client = admin): Promise<string> =>
  (await client.call(chatRoutes.create, { body: { selection } })).id

const say = (sessionId: string, message: string, client = admin): Promise<Message> =>
  client.call(chatRoutes.generate, { params: { sessionId }, body: { message } })

/** Begins an answer, and hands every event of it to `see` until that says that it is enough, or it ends. */
const follow = async (
  sessionId: string,
  message: string,
  see: (event: ChatEvent) => unknown = () => undefined,
): Promise<ChatEvent[]> => {
  const events: ChatEvent[] = []
  for await (const { event } of admin.follow(chatRoutes.generateStream, { params: { sessionId }, body: { message } })) {
    events.push(event)
    await see(event)
  }
  return events
}

const decide = (sessionId: string, approvalId: string, decision: 'allow_once' | 'always_allow_tool' | 'deny') =>
  admin.call(chatRoutes.decide, { params: { sessionId, approvalId }, body: { decision } })

describe('before anybody allows agents', () => {
  test('nobody sees one, and none answers', async () => {
    expect(await admin.call(agentCliRoutes.access, {})).toEqual({
      enabled: false,
      lockedByEnv: false,
      audience: 'admins',
      groupIds: [],
    })
    expect((await admin.call(agentCliRoutes.models, {})).items).toEqual([])
    const sessionId = await newChat()
    await expect(say(sessionId, 'hello')).rejects.toMatchObject({ problem: { code: 'model_unavailable' } })
  })
})

describe('agents that are allowed', () => {
  beforeAll(() => allow())

  test('are listed with where they were found, their version and their models, in a group of their own', async () => {
    await vi.waitFor(async () => {
      const { items } = await admin.call(agentCliRoutes.models, {})
      expect(items.filter(({ agentId }) => agentId === 'tester')).toMatchObject([
        { id: 'tester', name: 'The tester', version: 'acp-agent 1.2.3', state: 'ready' },
        { id: 'tester:small', binaryPath: join(agentCommands, 'tester') },
        { id: 'tester:large', selection: selectionOf('tester', 'large') },
      ])
      expect(items.filter(({ agentId }) => agentId === 'pi')).toMatchObject([
        { id: 'pi', version: 'pi 1.2.3', permissions: 'read-only' },
        { id: 'pi:anthropic/claude-test' },
      ])
      const idsOf = (wanted: string) => items.flatMap(({ id, agentId }) => (agentId === wanted ? [id] : []))
      expect(idsOf('sessions')).toEqual(['sessions', 'sessions:small', 'sessions:large'])
      expect(idsOf('drafts')).toEqual(['drafts', 'drafts:older'])
      expect(items.find(({ id }) => id === 'claude:opus')).toMatchObject({ permissions: 'ask' })
      expect(items.some(({ agentId }) => agentId === 'gone')).toBe(false)
    }, patient)
    const { providers, fallback } = await admin.call(connectionsRoutes.models, {})
    expect(providers).toContainEqual(
      expect.objectContaining({ providerType: 'agent', providerId: 'tester', state: 'ready', modelCount: 3 }),
    )
    expect(fallback?.selection.providerType).not.toBe('agent')
  })

  test('are administrators’ alone until groups or everybody may use them', async () => {
    expect((await member.call(agentCliRoutes.models, {})).items).toEqual([])
    const sessionId = await newChat(selectionOf('tester'), member)
    await expect(say(sessionId, 'hello', member)).rejects.toMatchObject({ problem: { code: 'model_unavailable' } })
    const { id } = await admin.call(groupsRoutes.addGroup, { body: { name: 'Builders' } })
    await admin.call(agentCliRoutes.updateAccess, { body: { audience: 'groups', groupIds: [id] } })
    expect((await member.call(agentCliRoutes.models, {})).items).toEqual([])
    const accountId = (await member.call(accountsRoutes.me, {})).id
    await admin.call(groupsRoutes.addMember, { params: { id, accountId } })
    expect((await say(sessionId, 'hello', member)).content).toBe('I was told: hello')
    await admin.call(groupsRoutes.removeMember, { params: { id, accountId } })
    expect((await member.call(agentCliRoutes.models, {})).items).toEqual([])
    await allow('all-users')
    expect((await member.call(agentCliRoutes.models, {})).items).not.toEqual([])
    await allow('admins')
    await expect(say(sessionId, 'hello', member)).rejects.toMatchObject({ problem: { code: 'model_unavailable' } })
  })

  test('answer with words, thoughts, a plan, calls with what they change, and what they used', async () => {
    const sessionId = await newChat()
    const events = await follow(sessionId, 'edit the file', async (event) => {
      if (event.type !== 'approval' || event.data.approval.decision !== null) return
      expect(event.data.approval.decisions).toEqual(['allow_once', 'always_allow_tool', 'deny'])
      const needsAnswer = async () => (await admin.call(chatRoutes.read, { params: { sessionId } })).needsAnswer
      await vi.waitUntil(needsAnswer, patient)
      await decide(sessionId, event.data.approval.id, 'allow_once')
    })
    expect(await admin.call(chatRoutes.read, { params: { sessionId } })).toMatchObject({ needsAnswer: false })
    const last = events.at(-1)
    const message = last?.type === 'done' ? last.data.message : null
    expect(message).toMatchObject({
      content: 'The line is there.',
      reasoning: 'The file wants a line.',
      finishReason: 'stop',
      usage: { inputTokens: 100, outputTokens: 10 },
      toolCalls: [
        { id: 'plan', steps: [{ text: 'Edit the file', state: 'done' }] },
        {
          id: 'edit-1',
          name: 'Edit notes.txt',
          arguments: '{"path":"notes.txt"}',
          places: [{ path: 'notes.txt', line: 2 }],
          changes: [{ path: 'notes.txt', before: 'one\n', after: 'one\ntwo\n' }],
          approval: { decision: 'allow_once' },
          result: { status: 'done', text: 'One line was added.' },
        },
      ],
    })
  })

  test('hear no when their question is refused, and a decision counts once', async () => {
    const sessionId = await newChat()
    let second: unknown
    const events = await follow(sessionId, 'edit the file', async (event) => {
      if (event.type !== 'approval' || event.data.approval.decision !== null) return
      await decide(sessionId, event.data.approval.id, 'deny')
      second = await decide(sessionId, event.data.approval.id, 'allow_once').catch((error: unknown) => error)
    })
    expect(second).toMatchObject({ problem: { code: 'approval_not_found' } })
    expect(events.at(-1)).toMatchObject({ type: 'done', data: { message: { content: 'Then not.' } } })
  })

  test('go on in one session of the chat, and begin another where the chat went another way', async () => {
    const sessionId = await newChat()
    await say(sessionId, 'first')
    const second = await say(sessionId, 'second')
    expect(second).toMatchObject({ content: 'I was told: second', usage: { outputTokens: 20 } })
    const again = await admin.call(chatRoutes.generate, {
      params: { sessionId },
      body: { regenerate: true, originalMessageId: second.id },
    })
    expect(again.content).toContain('The conversation so far:')
    expect(again).toMatchObject({ usage: { outputTokens: 10 } })
  })

  test('take up their session, and its model, after the server was started anew', async () => {
    const chats = [await newChat(), await newChat(selectionOf('claude'))]
    const large = await newChat(selectionOf('tester', 'large'))
    for (const chat of [...chats, large]) await say(chat, 'first')
    await app.restart()
    for (const chat of chats) expect((await say(chat, 'second')).content).toMatch(/I was told: second$/)
    expect((await say(large, 'which model')).content).toBe('large')
  })

  test('that print lines answer, ask for permission where they can, and count what they used', async () => {
    const sessionId = await newChat(selectionOf('claude', 'opus'))
    const events = await follow(sessionId, 'edit the file', async (event) => {
      if (event.type !== 'approval' || event.data.approval.decision !== null) return
      await decide(sessionId, event.data.approval.id, 'allow_once')
    })
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      data: {
        message: {
          content: 'I add it… \n\nThe line is there.',
          reasoning: 'The file wants a line.',
          usage: { inputTokens: 100, outputTokens: 15, cachedTokens: 70 },
          toolCalls: [
            { id: 'plan' },
            { id: 'toolu_1', approval: { decision: 'allow_once' }, result: { status: 'done', text: 'Edited.' } },
          ],
        },
      },
    })
  })

  test.each(['claude', 'codex', 'pi'])('%s goes on in its session with the new words alone', async (agent) => {
    const sessionId = await newChat(selectionOf(agent))
    await say(sessionId, 'first')
    const { content, usage } = await say(sessionId, 'second')
    expect(content).toMatch(/I was told: second$/)
    expect(usage?.outputTokens).toBeLessThan(20)
  })

  test('that have forgotten their session get the chat from its beginning', async () => {
    const sessionId = await newChat(selectionOf('codex'))
    await say(sessionId, 'forget it')
    expect((await say(sessionId, 'second')).content).toContain('The conversation so far:')
  })

  test('are asked with the model that was chosen', async () => {
    for (const [agent, model] of [
      ['tester', 'large'],
      ['drafts', 'older'],
    ] as const)
      expect((await say(await newChat(selectionOf(agent, model)), 'which model')).content).toBe(model)
  })

  test('get nothing of the server’s environment but home, path, language and what their file names', async () => {
    const { content } = await say(await newChat(), 'tell your environment')
    const own = [
      'HOME',
      'NODE_COMPILE_CACHE',
      'LANG',
      'LANGUAGE',
      'LC_ALL',
      'LC_CTYPE',
      'PATH',
      'PWD',
      'OLDPWD',
      'SHLVL',
      '_',
    ]
    expect(content.split(' ').filter((name) => !own.includes(name))).toEqual(['TESTER_MODE', 'TESTER_SETTING'])
    expect((await say(await newChat(), 'tell your settings')).content).toBe('ask, own')
  })

  test('end with all that they started when the answer is stopped', async () => {
    const sessionId = await newChat()
    let child = 0
    await follow(sessionId, 'leave a child', async (event) => {
      if (event.type !== 'text') return
      child = Number(event.data.delta.replace('child ', ''))
      expect(isAlive(child)).toBe(true)
      const chat = await admin.call(chatRoutes.read, { params: { sessionId } })
      const params = { sessionId, assistantMessageId: chat.activeLeafId ?? '' }
      await admin.call(chatRoutes.cancel, { params })
    })
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), patient)
  })

  test.each([
    ['tester', 'crash', 'provider_unreachable', /stopped working: it ended with code 7/],
    ['tester', 'write without end', 'provider_failed', /more than 2 MB/],
    ['tester', 'ask a thousand times', 'provider_rejected', /asked for permission too often/],
    ['signed-out', 'hello', 'api_key_needed', /not signed in. Sign in with "tester login"/],
    ['tester', 'be signed out', 'api_key_needed', /The tester is not signed in/],
    ['noise', 'hello', 'provider_failed', /does not speak its protocol/],
    ['ends-late', 'hello', 'provider_unreachable', /stopped working: it ended with code 5/],
    ['ends', 'hello', 'provider_unreachable', /stopped working: it ended with code 3/],
    ['claude', 'crash', 'provider_unreachable', /Claude Code stopped working: it ended with code 7/],
    ['claude', 'fail without words', 'provider_rejected', /Claude Code reported an error/],
    ['codex', 'crash', 'provider_unreachable', /Codex stopped working: it ended with code 7/],
    ['codex', 'be signed out', 'api_key_needed', /not signed in. Sign in with "codex login"/],
    ['pi', 'fail without words', 'provider_rejected', /pi reported an error/],
    ['no-lines', 'hello', 'provider_failed', /does not speak its protocol/],
  ])('%s, told to %s, fails in words', async (agent, words, code, detail) => {
    const sessionId = await newChat(selectionOf(agent))
    const last = (await follow(sessionId, words)).at(-1)
    expect(last).toMatchObject({ type: 'error', data: { code, detail: expect.stringMatching(detail) } })
  })

  test.each(['tester', 'claude', 'codex'])('%s gets pictures and the text of files', async (agent) => {
    const sessionId = await newChat(selectionOf(agent))
    const files = [
      ['a.png', picture],
      ['notes.md', new Blob(['# Two lines'], { type: 'text/markdown' })],
    ] as const
    const attachmentIds: string[] = []
    for (const [name, file] of files)
      attachmentIds.push((await admin.call(chatRoutes.attach, { query: { name }, file })).id)
    const body = { message: 'look', attachmentIds }
    const { content } = await admin.call(chatRoutes.generate, { params: { sessionId }, body })
    expect(content).toMatch(agent === 'codex' ? /\[picture of 44 bytes\]/ : /\[image\]/)
    expect(content).toContain('# Two lines')
  })

  test('are counted call by call, with the tokens that they report', async () => {
    const selection = selectionOf('claude', 'haiku')
    await say(await newChat(selection), 'hello')
    await follow(await newChat(selection), 'crash')
    await vi.waitFor(async () => {
      const { models } = await admin.call(usageRoutes.report, { query: {} })
      expect(models.find(({ pluginId, model }) => pluginId === 'claude' && model === 'haiku')).toMatchObject({
        pluginName: 'Claude Code',
        calls: 2,
        errors: 1,
        promptTokens: 100,
        completionTokens: 15,
      })
    }, patient)
  })

  test('are not there for programs that use the public interface', async () => {
    const listed = (await (await admin.raw('/v1/models')).json()) as { data: { id: string }[] }
    expect(listed.data.filter(({ id }) => id.includes('tester'))).toEqual([])
    for (const model of ['tester', 'tester/default', 'agent/tester', 'tester/small']) {
      const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] })
      const headers = { 'content-type': 'application/json' }
      expect((await admin.raw('/v1/chat/completions', { method: 'POST', headers, body })).status).toBe(404)
    }
  })

  test('answer no automation, whose words may be a stranger’s', async () => {
    const asked = { instructions: 'Do it.', triggers: [], asksModel: true, selection: selectionOf('tester') }
    const { id } = await admin.call(automationsRoutes.create, {
      body: { name: 'Unasked', target: { kind: 'chat', sessionId: null }, retries: 0, ...asked },
    })
    const { runId } = await admin.call(automationsRoutes.run, { params: { automationId: id } })
    await vi.waitFor(async () => {
      const run = await admin.call(automationsRoutes.readRun, { params: { runId } })
      expect(run).toMatchObject({ state: 'failed', reason: 'model_unavailable' })
    }, patient)
  })

  test('lose the folder of a chat that is deleted for good', async () => {
    const sessionId = await newChat()
    await say(sessionId, 'hello')
    const { id } = await admin.call(accountsRoutes.me, {})
    const folder = join(app.dataDir, 'agents', id, sessionId)
    await admin.call(chatRoutes.remove, { params: { sessionId } })
    expect(existsSync(folder)).toBe(true)
    await admin.call(chatRoutes.removeTrash, { params: { itemId: sessionId } })
    expect(existsSync(folder)).toBe(false)
  })

  test('whose command is gone are told as unavailable, and never replaced', async () => {
    const sessionId = await newChat(selectionOf('gone'))
    await expect(say(sessionId, 'hello')).rejects.toMatchObject({
      problem: { code: 'model_unavailable', detail: 'This agent is no longer installed on the server.' },
    })
  })
})
