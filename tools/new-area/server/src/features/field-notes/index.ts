/**
 * Field notes of an account: each has a title, sealed with the keys of its owner, and can be shared, found, deleted and
 * restored. It refuses to let anybody but its owner change one.
 */
import type { FieldNote, fieldNotesRoutes } from '@atrium/contract/field-notes'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { announceChange, type FieldNoteContext, type FieldNotesDeps } from './context.ts'
import { fieldNoteResources } from './resources.ts'
import { createFieldNoteStore, type StoredFieldNote, toFieldNote } from './store.ts'

export const createFieldNotes = (deps: FieldNotesDeps) => {
  const context: FieldNoteContext = { ...deps, store: createFieldNoteStore(deps) }
  return { handlers: fieldNoteHandlers(context), resources: fieldNoteResources(context) }
}

const fieldNoteHandlers = (context: FieldNoteContext): Handlers<typeof fieldNotesRoutes> => {
  const { access, clock, namesOf, store } = context

  /** As the caller sees them. */
  const present = async (fieldNotes: readonly StoredFieldNote[], callerId: string): Promise<FieldNote[]> => {
    const names = await namesOf([...new Set(fieldNotes.map(({ accountId }) => accountId))])
    return fieldNotes.map((fieldNote) =>
      toFieldNote(fieldNote, fieldNote.accountId === callerId ? null : (names.get(fieldNote.accountId) ?? '')),
    )
  }
  const read = async (id: string): Promise<StoredFieldNote> => {
    const [fieldNote] = await store.readMany([id])
    if (!fieldNote) throw fail('field_note_not_found')
    return fieldNote
  }
  const change = async (id: string, values: Partial<StoredFieldNote>): Promise<FieldNote> => {
    const before = await read(id)
    const after = { ...before, ...values }
    if (!(await store.replace(before, after))) throw fail('field_note_not_found')
    await announceChange(context, after)
    return toFieldNote(after, null)
  }

  return {
    async list({ query: { limit, cursor } }, { caller: { accountId } }) {
      const reachable = await access.listReachable(accountId, 'field-note')
      const ids = reachable.map(({ resourceId }) => resourceId)
      const { items, nextCursor } = await store.page(accountId, ids, limit, cursor)
      return { items: await present(items, accountId), nextCursor }
    },

    async create({ body: { title } }, { caller: { accountId } }) {
      const now = clock.now()
      const fieldNote = { id: clock.id(), accountId, title, createdAt: now, updatedAt: now, deletedAt: null }
      await store.add(fieldNote)
      await announceChange(context, fieldNote)
      return toFieldNote(fieldNote, null)
    },

    async read(_input, { resource, caller }) {
      const [fieldNote] = await present([await read(resource.id)], caller.accountId)
      if (!fieldNote) throw fail('field_note_not_found')
      return fieldNote
    },

    update: ({ body: { title } }, { resource }) => change(resource.id, { title, updatedAt: clock.now() }),

    async remove(_input, { resource }) {
      await change(resource.id, { deletedAt: clock.now() })
      return {}
    },
  }
}
