/** What field notes are to the rest of the product: how they are shared, found, counted, restored, taken along and removed. */
import type { fieldNotesArea } from '@atrium/contract/field-notes'
import type { ExportFiles, ResourcesOf, Trash } from '../../core/resources/index.ts'
import { jsonBytes } from '../../platform/archive/write.ts'
import { announceChange, announceTo, type FieldNoteContext } from './context.ts'
import { createFieldNoteSearch } from './search.ts'
import { fieldNotePlaces, type StoredFieldNote, toFieldNote } from './store.ts'

export const fieldNoteResources = (context: FieldNoteContext): ResourcesOf<typeof fieldNotesArea> => {
  const { store } = context
  return {
    'field-note': {
      missing: 'field_note_not_found',
      places: fieldNotePlaces,
      within: null,
      async describe(ids) {
        const fieldNotes = await store.readMany(ids)
        return new Map(fieldNotes.map(({ id, accountId, title }) => [id, { accountId, name: title }]))
      },
      changed: (_id, accountIds) => announceTo(context, accountIds),
      async list(accountId, limit, cursor) {
        const { items, nextCursor } = await store.page(accountId, [], limit, cursor)
        return { items: items.map(({ id, title, updatedAt }) => ({ id, name: title, updatedAt })), nextCursor }
      },
      search: createFieldNoteSearch(context),
      trash: fieldNoteTrash(context),
      count: store.count,
      export: exportFieldNotes(context),
      removeAccount: store.removeAccount,
    },
  }
}

const fieldNoteTrash = (context: FieldNoteContext): Trash => {
  const { store } = context
  return {
    async list(accountId, limit, after) {
      const fieldNotes = await store.deleted(accountId, after, limit)
      return fieldNotes.map(({ id, title, deletedAt }) => ({ id, title, chatId: null, deletedAt: deletedAt ?? 0 }))
    },
    async restore(accountId, id) {
      const fieldNote = await store.readDeleted(accountId, id)
      if (!fieldNote || !(await store.replace(fieldNote, { ...fieldNote, deletedAt: null }))) return false
      await announceChange(context, fieldNote)
      return true
    },
    async remove(accountId, id) {
      const fieldNote = await store.readDeleted(accountId, id)
      return fieldNote !== null && (await store.removeDeleted([id])) > 0
    },
    async removeExpired(before, signal) {
      for (;;) {
        const ids = await store.expired(before, 100)
        if (ids.length === 0 || signal.aborted) return
        await store.removeDeleted(ids)
      }
    },
  }
}

/** One file of all own ones, without those in the trash. */
const exportFieldNotes = ({ clock, store }: FieldNoteContext): ExportFiles =>
  async function* (accountId, signal) {
    const fieldNotes: StoredFieldNote[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      signal.throwIfAborted()
      const { items, nextCursor } = await store.page(accountId, [], 100, cursor)
      fieldNotes.push(...items)
      cursor = nextCursor
    }
    const content = jsonBytes(fieldNotes.map((fieldNote) => toFieldNote(fieldNote, null)))
    yield { name: 'field-notes.json', modifiedAt: clock.now(), pack: true, content }
  }
