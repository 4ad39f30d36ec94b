/** Field notes in the search over everything: by their titles. */
import type { FindHits } from '../../core/resources/index.ts'
import { snippetOf } from '../../core/search/index.ts'
import type { FieldNoteContext } from './context.ts'
import { partitionOf } from './store.ts'

export const createFieldNoteSearch =
  ({ access, indexes, store }: FieldNoteContext): FindHits =>
  async (accountId, { words, kinds, within, from, has, after, before }, limit) => {
    // They are in nothing, by nobody else, and have nothing in them.
    if (words === '' || within !== null || from !== null || has.size > 0) return []
    if (kinds !== null && !kinds.has('field-note')) return []
    const question = {
      text: words,
      everyWord: true,
      typing: true,
      limit,
      after: after ?? undefined,
      before: before ?? undefined,
    }
    const reachable = await access.listReachable(accountId, 'field-note')
    const hits = await Promise.all([
      indexes.texts.find({ ...question, partitions: [partitionOf(accountId)] }),
      indexes.texts.find({
        ...question,
        partitions: [...new Set(reachable.map(({ ownerId }) => partitionOf(ownerId)))],
        groups: reachable.map(({ resourceId }) => resourceId),
      }),
    ])
    const scores = new Map(hits.flat().map(({ group, score }) => [group, score]))
    const fieldNotes = await store.readMany([...scores.keys()])
    return fieldNotes.map((fieldNote) => ({
      kind: 'field-note',
      id: fieldNote.id,
      title: fieldNote.title,
      ...snippetOf('', words),
      chatId: null,
      ownerId: fieldNote.accountId === accountId ? null : fieldNote.accountId,
      startChar: null,
      endChar: null,
      location: null,
      time: new Date(fieldNote.createdAt).toISOString(),
      score: scores.get(fieldNote.id) ?? 0,
    }))
  }
