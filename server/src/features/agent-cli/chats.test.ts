import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import type { Part, Turn } from '../../providers/types.ts'
import { agentCommands, agentEnvironment } from '../../testing/agents/environment.ts'
import { isAlive } from '../../testing/agents/is-alive.ts'
import { realClock } from '../../testing/clock.ts'
import { type AgentChats, type AgentChatsDeps, createAgentChats } from './chats.ts'
import { readAgents } from './definition.ts'

const patient = { timeout: 120_000, interval: 10 }
const environment = { PATH: `${dirname(process.execPath)}:${agentEnvironment.PATH}`, HOME: '/' }
const agents = new Map((await readAgents(agentEnvironment.AGENT_CLI_FILE)).map((agent) => [agent.id, agent]))
const open: AgentChats[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((chats) => chats.close()))
})

const openChats = async (deps: Partial<AgentChatsDeps> = {}) => {
  const folder = deps.folder ?? (await mkdtemp(join(tmpdir(), 'agents-')))
  const log = createLog({ level: 'silent' })
  const chats = createAgentChats({
    clock: realClock,
    log,
    folder,
    environmentOf: () => environment,
    silenceMs: 20_000,
    mayUse: async () => true,
    ...deps,
  })
  open.push(chats)
  const ask = (
    id: string,
    words: string,
    conversation = 'chat',
    signal = new AbortController().signal,
    before: Turn['messages'] = [],
  ) => {
    const agent = agents.get(id)
    if (!agent) throw new Error(`There is no agent ${id}.`)
    const turn: Turn = {
      model: 'default',
      conversation,
      system: null,
      messages: [...before, { role: 'user', text: words, images: [] }],
      tools: [],
      options: {},
    }
    const path = join(agentCommands, agent.command)
    return chats.ask({ accountId: 'somebody', agent, path, model: 'default', turn, signal })
  }
  return { chats, folder, ask }
}

const readText = async (parts: AsyncIterable<readonly Part[]>): Promise<string> => {
  let text = ''
  for await (const some of parts) for (const part of some) if (part.type === 'text') text += part.delta
  return text
}

/** Reads to the end, and gives the question and its answer as a later turn has them. */
const readExchange = async (words: string, parts: AsyncIterable<readonly Part[]>): Promise<Turn['messages']> => {
  let text = ''
  const items: unknown[] = []
  for await (const some of parts)
    for (const part of some)
      if (part.type === 'text') text += part.delta
      else if (part.type === 'replay') items.push(part.item)
  return [
    { role: 'user', text: words, images: [] },
    { role: 'assistant', text, toolCalls: [], replay: { wire: 'agent', model: 'default', items } },
  ]
}

/** Reads until the id of a child was told, and leaves the answer there. */
const readChild = async (parts: AsyncGenerator<readonly Part[]>): Promise<number> => {
  let text = ''
  while (!/child \d+/.test(text)) {
    const { value, done } = await parts.next()
    if (done) throw new Error('The answer told of no child.')
    for (const part of value) if (part.type === 'text') text += part.delta
  }
  return Number(/child (\d+)/.exec(text)?.[1])
}

describe('the program of a chat ends with all that it started', () => {
  test('when nobody has used it for a while', async () => {
    const { chats, ask } = await openChats({ idleMs: 50 })
    const child = Number((await readText(ask('tester', 'leave a child and go on'))).replace('child ', ''))
    await vi.waitUntil(() => chats.count === 0 && !isAlive(child), patient)
  })

  test('when it writes on and on without being asked', async () => {
    const { chats, ask } = await openChats()
    expect(await readText(ask('tester', 'answer, and write on'))).toContain('I was told')
    await vi.waitUntil(() => chats.count === 0, patient)
  })

  test('at the end of the server, in the middle of an answer or between two, though it ignores that it should', async () => {
    const { chats, ask } = await openChats()
    const children = await Promise.all([
      readChild(ask('tester', 'leave a child and ignore the end', 'busy')),
      readText(ask('tester', 'leave a child, ignore the end and go on', 'idle')).then((text) =>
        Number(text.replace('child ', '')),
      ),
    ])
    expect(children.filter(isAlive)).toEqual(children)
    expect(chats.count).toBe(2)
    await chats.close()
    await vi.waitUntil(() => !children.some(isAlive), patient)
    await expect(readText(ask('tester', 'hello'))).rejects.toMatchObject({ kind: 'aborted' })
  })

  test('when it ends by itself, and what it left behind holds up no answer', async () => {
    const { ask } = await openChats()
    const text = await readText(ask('codex', 'leave a child'))
    expect(text).toContain('I was told: leave a child')
    const child = Number(/child (\d+)/.exec(text)?.[1])
    await vi.waitUntil(() => !isAlive(child), patient)
  })

  test('when its chat is deleted, and the folder of the chat goes with it', async () => {
    const { chats, folder, ask } = await openChats()
    await Promise.all(['kept', 'gone'].map((chat) => readText(ask('tester', 'hello', chat))))
    // Each is noted while it runs, for the next start.
    await vi.waitFor(async () => expect(await readdir(join(folder, 'running'))).toHaveLength(2), patient)
    await chats.removeChat('gone')
    await chats.removeChat('never there')
    expect(await readdir(join(folder, 'somebody'))).toEqual(['kept'])
    expect(chats.count).toBe(1)
    await chats.removeAccount('somebody')
    expect(await readdir(folder)).toEqual(['running'])
    await vi.waitFor(async () => expect(await readdir(join(folder, 'running'))).toEqual([]), patient)
    expect(chats.count).toBe(0)
  })
})

describe('an answer of an agent ends', () => {
  test('when nothing was heard of it for too long', async () => {
    const { chats, ask } = await openChats({ silenceMs: 300 })
    await expect(readText(ask('tester', 'say nothing'))).rejects.toMatchObject({
      kind: 'timeout',
      message: 'The tester said nothing for a minute, so the answer was ended.',
    })
    await vi.waitUntil(() => chats.count === 0, patient)
  })

  test('when nobody decides what it asks', async () => {
    const { ask } = await openChats({ silenceMs: 6000 })
    const expected = { kind: 'timeout', message: expect.stringContaining('waited for permission for a minute') }
    await Promise.all(
      ['tester', 'claude'].map((id) => expect(readText(ask(id, 'edit the file', id))).rejects.toMatchObject(expected)),
    )
  })

  test('when it begins no session in time', async () => {
    const { chats, ask } = await openChats({ connectMs: 4000 })
    await expect(readText(ask('mute', 'hello'))).rejects.toMatchObject({
      kind: 'timeout',
      message: 'The mute did not begin in time.',
    })
    await vi.waitUntil(() => chats.count === 0, patient)
  })

  test('when its protocol does not begin in time', async () => {
    const { ask } = await openChats({ connectMs: 1 })
    await expect(readText(ask('tester', 'hello'))).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('when it prints a line without end', async () => {
    const { ask } = await openChats()
    await expect(readText(ask('codex', 'print a line without end'))).rejects.toMatchObject({ kind: 'too_large' })
  })
})

test.each(['tester', 'claude'])(
  '%s goes on in its session, whichever process of the server a turn comes to',
  async (id) => {
    const one = await openChats()
    const other = await openChats({ folder: one.folder })
    const never = new AbortController().signal
    let before: Turn['messages'] = []
    for (const [{ ask }, words] of [
      [one, 'first'],
      [other, 'second'],
      [one, 'third'],
    ] as const) {
      const exchange = await readExchange(words, ask(id, words, 'chat', never, before))
      before = [...before, ...exchange]
    }
    const answers = before.flatMap((message) => (message.role === 'assistant' ? [message.text] : []))
    expect(answers.map((text) => /I was told: .*$/.exec(text)?.[0])).toEqual([
      'I was told: first',
      'I was told: second',
      'I was told: third',
    ])
    expect(answers.join()).not.toContain('The conversation so far')
  },
)

test('an agent that tells no figures of what it used answers all the same', async () => {
  const { ask } = await openChats()
  expect(await readText(ask('tester', 'answer without figures'))).toBe('I was told: answer without figures')
})

test('a turn that was stopped leaves no session to go on in: nobody knows how much of it the agent has taken in', async () => {
  const { folder, ask } = await openChats()
  const before = await readExchange('first', ask('tester', 'first'))
  const stop = new AbortController()
  const stopped = readText(ask('tester', 'say nothing', 'chat', stop.signal, before))
  const work = join(folder, 'somebody', 'chat', 'work')
  await vi.waitFor(async () => {
    const [kept = ''] = await readdir(work)
    expect(await readFile(join(work, kept), 'utf8')).toBe('..')
  }, patient)
  stop.abort()
  await stopped
  const never = new AbortController().signal
  expect(await readText(ask('tester', 'second', 'chat', never, before))).toContain('The conversation so far:')
})

test.each([
  ['have a long past', 'goes on in a session of which all is told again, however long it is', 'I was told: second'],
  ['fail to load', 'begins another session where the one before ends the program', 'The conversation so far:'],
])('an agent that was asked to %s %s', async (first, _does, expected) => {
  const { chats, folder, ask } = await openChats()
  const before = await readExchange(first, ask('tester', first))
  await chats.close()
  const { ask: askAgain } = await openChats({ folder })
  const never = new AbortController().signal
  expect(await readText(askAgain('tester', 'second', 'chat', never, before))).toContain(expected)
})

test('who loses the right to agents has theirs ended, in the middle of an answer or between two', async () => {
  let may = true
  const { chats, ask } = await openChats({ mayUse: async () => may, lookMs: 20 })
  await readText(ask('tester', 'hello', 'idle'))
  const child = readChild(ask('tester', 'leave a child', 'left'))
  const ended = readText(ask('tester', 'say nothing', 'busy')).catch((error: unknown) => error)
  const pid = await child
  expect(isAlive(pid)).toBe(true)
  await vi.waitUntil(() => chats.count === 3, patient)
  may = false
  expect(await ended).toMatchObject({
    kind: 'rejected',
    message: 'You don’t have access to The tester any more, so the answer was ended here.',
  })
  await vi.waitUntil(() => chats.count === 0 && !isAlive(pid), patient)
})

test('what is allowed by somebody who lost the right meanwhile is not done', async () => {
  let may = true
  const { ask } = await openChats({ mayUse: async () => may, lookMs: 600_000 })
  const read = async () => {
    let text = ''
    for await (const parts of ask('tester', 'edit the file'))
      for (const part of parts) {
        if (part.type === 'text') text += part.delta
        if (part.type !== 'approval' || !part.decide) continue
        may = false
        part.decide('allow_once')
      }
    return text
  }
  await expect(read()).rejects.toMatchObject({ kind: 'rejected' })
})

test('a second question about one call takes the place of the first, which nobody could answer any more', async () => {
  const { ask } = await openChats()
  let text = ''
  const asked: Extract<Part, { type: 'approval' }>[] = []
  for await (const parts of ask('tester', 'ask twice about one call')) {
    for (const part of parts) {
      if (part.type === 'text') text += part.delta
      if (part.type === 'approval') asked.push(part)
    }
    const [, second] = asked.filter(({ decide }) => decide)
    second?.decide?.('allow_once')
  }
  expect(text).toBe('cancelled, yes')
  // Whoever counts the questions that wait hears that the first one does not any more.
  expect(asked.map(({ approval, decide }) => [approval.id === asked[0]?.approval.id, decide !== undefined])).toEqual([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])
})

test('no more programs are started than there is room for, however many chats ask at once', async () => {
  const { chats, ask } = await openChats()
  const stop = new AbortController()
  const refused: unknown[] = []
  const ends = Array.from({ length: 20 }, (_, n) =>
    readText(ask('mute', 'hello', `chat-${n}`, stop.signal)).catch((error: unknown) => refused.push(error)),
  )
  await vi.waitFor(() => expect(chats.count + refused.length).toBe(20), patient)
  expect(refused).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ kind: 'overloaded' })))
  stop.abort()
  await Promise.all(ends)
})
