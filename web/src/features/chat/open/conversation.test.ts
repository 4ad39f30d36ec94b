import type { Chat, ChatEvent, Message } from '@atrium/contract/chat'
import type { ContextPlan, Retrieval } from '@atrium/contract/generation'
import { describe, expect, it } from 'vitest'
import {
  confirmQuestion,
  addQuestion,
  type Conversation,
  finishAnswer,
  prependPage,
  createConversation,
  applyEvent,
  mergeReloaded,
  revertQuestion,
  dropMessages,
  markStopping,
} from './conversation.ts'
import { createEmptyChat } from './empty-chat.ts'
import { createAnswer, createQuestion } from './message.ts'

const now = Date.parse('2026-11-20T16:00:00.000Z')

/** A path of `count` messages, questions and answers in turn. */
function path(count: number): Message[] {
  const made: Message[] = []
  for (let i = 0; i < count; i++) {
    const parent = made.at(-1) ?? null
    const message =
      i % 2 === 0
        ? createQuestion(parent, `question ${i}`, [], now, `m${i}`)
        : { ...createAnswer(parent, null, now, `m${i}`), status: 'complete' as const, content: `answer ${i}` }
    made.push(message)
  }
  return made
}

function chat(items: Message[], cursor: string | null = null, change: Partial<Chat> = {}): Chat {
  const now = '2026-11-20T16:00:00.000Z'
  return {
    ...createEmptyChat({ id: 'chat-1', title: 'A chat', selection: null, folderId: null, expiresAt: null, now }),
    activeLeafId: items.at(-1)?.id ?? null,
    messageCount: items.length,
    messages: { items, nextCursor: cursor },
    ...change,
  }
}

const ids = (state: Conversation) => state.messages.map((m) => m.id)
const text = (delta: string): ChatEvent => ({ type: 'text', data: { delta } })

function ask(state: Conversation) {
  const q = createQuestion(state.messages.at(-1) ?? null, 'And now?', [], now, 'q-new')
  const a = createAnswer(q, null, now, 'a-new')
  return { q, a, state: addQuestion(state, q, a, state.messages.at(-1)?.id ?? null, now) }
}

describe('messages that leave the middle of a chat', () => {
  it('go, and what followed goes on after what stood before', () => {
    const state = dropMessages(createConversation(chat(path(6)), now), new Set(['m2', 'm3']))
    expect(state.messages.map(({ id, parentId, depth }) => [id, parentId, depth])).toEqual([
      ['m0', null, 0],
      ['m1', 'm0', 1],
      ['m4', 'm1', 2],
      ['m5', 'm4', 3],
    ])
    const [first] = dropMessages(createConversation(chat(path(3)), now), new Set(['m0'])).messages
    expect(first).toMatchObject({ id: 'm1', parentId: null, depth: 0 })
  })

  it('are not kept where they went in another tab, though their page is not the last', () => {
    const whole = createConversation(chat(path(8)), now)
    const rest = dropMessages(whole, new Set(['m1'])).messages.slice(-2)
    const merged = mergeReloaded(whole, chat(rest, 'before'), now)
    expect(ids(merged)).toEqual(['m6', 'm7'])
    expect(merged.earlier).toBe('before')
  })
})

describe('an open chat', () => {
  it('shows a question and its empty answer before the server has said a word', () => {
    const { state } = ask(createConversation(chat(path(4)), now))
    expect(ids(state)).toEqual(['m0', 'm1', 'm2', 'm3', 'q-new', 'a-new'])
    expect(state.live).toMatchObject({ messageId: 'a-new', text: '', pending: ['q-new', 'a-new'] })
  })

  it('grows the answer by its events, and by none of them twice', () => {
    const asking = ask(createConversation(chat(path(2)), now))
    let state = confirmQuestion(asking.state, asking.q, asking.a, 'g1')
    for (const [seq, event] of [
      [1, text('Hel')],
      [2, text('lo')],
      [2, text('lo')],
      [1, text('Hel')],
    ] as const) {
      state = applyEvent(state, 'g1', seq, event, now)
    }
    expect(state.live?.text).toBe('Hello')
    const message = { ...asking.a, status: 'complete' as const, content: 'Hello' }
    state = applyEvent(state, 'g1', 3, { type: 'done', data: { message } }, now)
    expect(state.live).toBeNull()
    expect(state.messages.at(-1)).toEqual(message)
    expect(state.head.runningGenerationId).toBeNull()
    expect(applyEvent(state, 'g1', 4, text('!'), now)).toBe(state)
  })

  it('shows each picture as far as it is drawn, in its place', () => {
    const asking = ask(createConversation(chat(path(2)), now))
    const picture = (id: string) => ({
      id,
      name: `${id}.png`,
      kind: 'image' as const,
      mediaType: 'image/png',
      sizeBytes: 9,
      tokens: 768,
      width: 4,
      height: 3,
    })
    let state = confirmQuestion(asking.state, asking.q, asking.a, 'g1')
    for (const [seq, id, place, partial] of [
      [1, 'draft', 0, true],
      [2, 'whole', 0, false],
      [3, 'second', 1, true],
    ] as const) {
      const data = { attachment: picture(id), place, partial }
      state = applyEvent(state, 'g1', seq, { type: 'attachment', data }, now)
    }
    expect(state.live?.pictures.map(({ attachment, partial }) => [attachment.id, partial])).toEqual([
      ['whole', false],
      ['second', true],
    ])
  })

  it('takes no words of a stopped answer into the next one, however late they come', () => {
    const first = ask(createConversation(chat(path(2)), now))
    let state = applyEvent(confirmQuestion(first.state, first.q, first.a, 'g1'), 'g1', 1, text('word1 '), now)
    state = finishAnswer(markStopping(state), { ...first.a, status: 'cancelled', content: 'word1 ' })
    const q = createQuestion(first.a, 'And next?', [], now, 'q-next')
    const a = createAnswer(q, null, now, 'a-next')
    const asking = addQuestion(state, q, a, first.a.id, now)
    expect(applyEvent(asking, 'g1', 78, text('word78 '), now)).toBe(asking)
    state = confirmQuestion(asking, q, a, 'g2')
    expect(applyEvent(state, 'g1', 78, text('word78 '), now)).toBe(state)
    const late = { ...first.a, status: 'cancelled' as const, content: 'word1 word78 ' }
    expect(applyEvent(state, 'g1', 79, { type: 'cancelled', data: { message: late } }, now)).toBe(state)
    state = applyEvent(state, 'g2', 1, text('Its own beginning'), now)
    expect(state.live).toMatchObject({ messageId: 'a-next', seq: 1, text: 'Its own beginning' })
  })

  it('follows a continuation from its own first event, also when another page asked for it', () => {
    const messages = path(3)
    const half = { ...createAnswer(messages[2] ?? null, null, now, 'm3'), content: 'Half', generationId: 'g1' }
    const running = chat([...messages, half], null, { runningGenerationId: 'g1' })
    const state = applyEvent(createConversation(running, now), 'g1', 40, text('…'), now)
    const again = { ...half, generationId: 'g2' }
    const next = mergeReloaded(state, chat([...messages, again], null, { runningGenerationId: 'g2' }), now)
    expect(next.live).toMatchObject({ messageId: 'm3', generationId: 'g2', seq: 0 })
    expect(applyEvent(next, 'g2', 1, text(' and half'), now).live?.text).toBe('Half and half')
  })

  it('is looked up first: what is searched shows until it is done, and then what came of it', () => {
    const asking = ask(createConversation(chat(path(2)), now))
    const search = (status: 'searching' | 'reading' | 'done', where: 'documents' | 'web', more = {}): ChatEvent => ({
      type: 'search',
      data: { status, where, ...more },
    })
    let state = applyEvent(
      confirmQuestion(asking.state, asking.q, asking.a, 'g1'),
      'g1',
      1,
      search('searching', 'documents'),
      now,
    )
    expect(state.live?.search).toEqual({ status: 'searching', where: 'documents' })
    const retrieval = { mode: 'keyword', query: 'kites' } as Retrieval
    const context = { excerptTokens: 900 } as ContextPlan
    state = applyEvent(state, 'g1', 2, search('done', 'documents', { retrieval, context }), now)
    expect(state.live).toMatchObject({ search: null, retrieval, context })
    state = applyEvent(state, 'g1', 3, search('reading', 'web'), now)
    state = applyEvent(state, 'g1', 4, search('done', 'web', { context: null }), now)
    expect(state.live).toMatchObject({ search: null, retrieval, context })
  })

  it('keeps the text of an answer that failed without a stored message', () => {
    const asking = ask(createConversation(chat(path(2)), now))
    let state = applyEvent(confirmQuestion(asking.state, asking.q, asking.a, 'g1'), 'g1', 1, text('Half'), now)
    state = applyEvent(
      state,
      'g1',
      2,
      { type: 'error', data: { code: 'provider_failed', detail: 'It broke off.' } },
      now,
    )
    expect(state.messages.at(-1)).toMatchObject({
      status: 'failed',
      content: 'Half',
      failure: { code: 'provider_failed' },
    })
    expect(state.head.failed).toBe(true)
  })

  it('goes back to what it was when the server refuses the question', () => {
    const before = createConversation(chat(path(4)), now)
    expect(ids(revertQuestion(ask(before).state, before))).toEqual(ids(before))
  })

  it('follows a running answer from its beginning after a reload', () => {
    const messages = path(3)
    const running = { ...createAnswer(messages[2] ?? null, null, now, 'm3'), generationId: 'g9' }
    const state = createConversation(chat([...messages, running], null, { runningGenerationId: 'g9' }), now)
    expect(state.live).toMatchObject({ messageId: 'm3', generationId: 'g9', seq: 0 })
  })

  it('continues behind the part that an answer already has', () => {
    const messages = path(3)
    const half = { ...createAnswer(messages[2] ?? null, null, now, 'm3'), content: 'First half, ' }
    const state = confirmQuestion(
      addQuestion(createConversation(chat(messages), now), null, half, 'm2', now),
      null,
      half,
      'g2',
    )
    expect(applyEvent(state, 'g2', 1, text('second half.'), now).live?.text).toBe('First half, second half.')
  })

  it('keeps earlier pages when the chat is loaded again', () => {
    const all = path(90)
    let state = createConversation(chat(all.slice(60), 'c60'), now)
    state = prependPage(state, all.slice(30, 60), 'c30')
    const more = [...all, createQuestion(all[89] ?? null, 'new', [], now, 'm90')]
    state = mergeReloaded(state, chat(more.slice(61), 'c61'), now)
    expect(ids(state)).toEqual(more.slice(30).map((m) => m.id))
    expect(state.earlier).toBe('c30')
  })

  it('keeps what is above when another branch becomes active', () => {
    const state = createConversation(chat(path(30)), now)
    const other = path(30)
      .slice(20, 24)
      .map((m) => ({ ...m, id: `x${m.id}` }))
    const next = mergeReloaded(state, chat(other, 'cx'), now)
    expect(ids(next)).toEqual([...path(20), ...other].map((m) => m.id))
    expect(next.earlier).toBeNull()
  })

  it('starts from the last page when another path became active elsewhere', () => {
    const all = path(60)
    const state = prependPage(createConversation(chat(all.slice(30), 'c30'), now), all.slice(0, 30), null)
    const other = all.slice(20, 24).map((m) => ({ ...m, id: `x${m.id}`, parentId: `x${m.parentId}` }))
    expect(ids(mergeReloaded(state, chat(other, 'cx'), now))).toEqual(other.map((m) => m.id))
  })

  it('keeps a question that is on its way when the chat is loaded again meanwhile', () => {
    const asking = ask(createConversation(chat(path(4)), now))
    const state = mergeReloaded(asking.state, chat(path(4)), now)
    expect(ids(state).slice(-2)).toEqual(['q-new', 'a-new'])
    expect(state.live?.messageId).toBe('a-new')
  })

  it('drops what stood below when an earlier question is asked again', () => {
    const state = createConversation(chat(path(6)), now)
    const q = createQuestion(state.messages[1] ?? null, 'other', [], now, 'q2')
    const next = addQuestion(state, q, createAnswer(q, null, now, 'a2'), 'm1', now)
    expect(ids(next)).toEqual(['m0', 'm1', 'q2', 'a2'])
  })

  it('shows Stop at once, and ends with what the server kept', () => {
    const asking = ask(createConversation(chat(path(2)), now))
    let state = markStopping(
      applyEvent(confirmQuestion(asking.state, asking.q, asking.a, 'g1'), 'g1', 1, text('Part'), now),
    )
    expect(state.live?.stopping).toBe(true)
    state = finishAnswer(state, { ...asking.a, status: 'cancelled', content: 'Part' })
    expect(state.live).toBeNull()
    expect(state.messages.at(-1)).toMatchObject({ status: 'cancelled', content: 'Part' })
  })

  it('adds an earlier page without doubles', () => {
    const all = path(10)
    const state = prependPage(createConversation(chat(all.slice(5), 'c5'), now), all.slice(0, 6), null)
    expect(ids(state)).toEqual(all.map((m) => m.id))
  })
})
