import type { ChatSummary, Folder } from '@atrium/contract/chat'
import { describe, expect, it } from 'vitest'
import { groupOf } from './groups.ts'
import { rowsOf } from './rows.ts'
import { possibleParents, projectOptions } from './tree.ts'
import { matchesFilter, type ListPages, placeChat, removeChat } from './pages.ts'

const chat = (id: string, minute: number, change: Partial<ChatSummary> = {}): ChatSummary => ({
  id,
  title: `Chat ${id}`,
  titleSource: 'own',
  selection: null,
  folderId: null,
  pinned: false,
  archived: false,
  runningGenerationId: null,
  needsAnswer: false,
  failed: false,
  unread: false,
  shared: false,
  tags: [],
  expiresAt: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`,
  deletedAt: null,
  ...change,
})
const pages: ListPages = {
  pages: [
    { items: [chat('e', 50), chat('d', 40)], nextCursor: 'x' },
    { items: [chat('c', 30), chat('b', 20)], nextCursor: 'y' },
  ],
  pageParams: [undefined, 'x'],
}
const ids = (data: ListPages) => data.pages.map((page) => page.items.map((item) => item.id).join('')).join('|')

describe('the chat list', () => {
  it('moves a chat to its new place', () => {
    expect(ids(placeChat(pages, chat('b', 59), {}))).toBe('bed|c')
    expect(ids(placeChat(pages, chat('e', 35), {}))).toBe('d|ecb')
  })
  it('leaves what belongs beyond the loaded pages to loading', () => {
    expect(ids(placeChat(pages, chat('a', 10), {}))).toBe('ed|cb')
    const whole = { ...pages, pages: pages.pages.map((page) => ({ ...page, nextCursor: null })) }
    expect(ids(placeChat(whole, chat('a', 10), {}))).toBe('ed|cba')
  })
  it('takes a chat out of the lists that it no longer fits', () => {
    expect(ids(placeChat(pages, chat('d', 40, { archived: true }), { archived: 'false' }))).toBe('e|cb')
    expect(ids(placeChat(pages, chat('d', 40, { pinned: true }), { pinned: 'false' }))).toBe('e|cb')
    expect(removeChat(pages, 'unknown')).toBe(pages)
  })
  it('searches all words in the title, in any case', () => {
    expect(matchesFilter(chat('a', 1, { title: 'Plan of the Garden' }), { q: 'garden plan' })).toBe(true)
    expect(matchesFilter(chat('a', 1, { title: 'Plan of the Garden' }), { q: 'garden house' })).toBe(false)
  })
  it('shows projects in each other, and the chats of expanded ones below them and nowhere else', () => {
    const project = (id: string, parentId: string | null): Folder => ({
      id,
      name: id,
      parentId,
      selection: null,
      shared: false,
      chatCount: 1,
      unreadCount: 0,
      runningCount: 0,
      createdAt: '2026-11-20T10:00:00.000Z',
      updatedAt: '2026-11-20T10:00:00.000Z',
      deletedAt: null,
    })
    const projects = [project('inner', 'outer'), project('lost', 'gone'), project('outer', null)]
    const filed = chat('filed', 5, { folderId: 'inner' })
    const shown = (inside: Map<string, ChatSummary[]>) =>
      rowsOf([], projects, [chat('loose', 6), filed], Date.parse('2026-11-20T12:00:00.000Z'), inside)
        .flatMap((row) => (row.kind === 'heading' ? [] : [`${'-'.repeat(row.depth ?? 0)}${row.key}`]))
        .join(' ')
    expect(shown(new Map())).toBe('folder-lost folder-outer -folder-inner loose filed')
    expect(shown(new Map([['inner', [filed]]]))).toBe('folder-lost folder-outer -folder-inner --filed loose')
  })
  it('groups by calendar days, not by hours', () => {
    const now = new Date(2026, 10, 20, 0, 30).getTime()
    const at = (...parts: [number, number, number, number]) => new Date(...parts).toISOString()
    expect(groupOf(at(2026, 10, 20, 0), now)).toBe('today')
    expect(groupOf(at(2026, 10, 19, 23), now)).toBe('yesterday')
    expect(groupOf(at(2026, 10, 13, 12), now)).toBe('week')
    expect(groupOf(at(2026, 9, 21, 12), now)).toBe('days30')
    expect(groupOf(at(2026, 9, 20, 12), now)).toEqual({ year: 2026, month: 9 })
    expect(groupOf(at(2026, 10, 21, 3), now)).toBe('today')
  })
})

describe('where a project can be put', () => {
  const folder = (id: string, parentId: string | null) => ({ id, name: id.toUpperCase(), parentId }) as Folder

  it('is every project but itself and those that lie in it', () => {
    const folders = [folder('a', null), folder('b', 'a'), folder('c', 'b'), folder('d', null)]
    const idsFor = (id: string) => possibleParents(folders, id).map((each) => each.id)
    expect(idsFor('a')).toEqual(['d'])
    expect(idsFor('b')).toEqual(['a', 'd'])
    expect(idsFor('c')).toEqual(['a', 'b', 'd'])
  })

  it('reads as the list of projects does, after the place outside of all', () => {
    expect(projectOptions([folder('a', null), folder('d', null), folder('b', 'a')], 'None')).toEqual([
      { value: '', label: 'None' },
      { value: 'a', label: 'A' },
      { value: 'b', label: '\u2003B' },
      { value: 'd', label: 'D' },
    ])
  })
})
