/** Field notes: each has a title. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { routes } from '../route.ts'
import { fieldNotesDescription } from './area.ts'

export const FieldNote = z.strictObject({
  id: Id,
  title: z.string(),
  createdAt: Time,
  updatedAt: Time,
  /** Whose it is, where that is somebody else; null for the caller's own. */
  ownerName: z.string().nullable(),
})
export type FieldNote = z.infer<typeof FieldNote>

export const mostTitleLetters = 200
const Content = z.strictObject({ title: z.string().trim().min(1).max(mostTitleLetters) })
const ById = z.strictObject({ fieldNoteId: Id })

export const fieldNotesRoutes = routes({
  list: {
    method: 'get',
    path: '/api/field-notes',
    access: 'user',
    summary: 'The own field notes and those that are shared with the caller, newest first',
    query: PageQuery,
    returns: page(FieldNote),
    errors: ['bad_cursor'],
  },
  create: {
    method: 'post',
    path: '/api/field-notes',
    access: 'user',
    summary: 'Create a field note',
    body: Content,
    returns: FieldNote,
  },
  read: {
    method: 'get',
    path: '/api/field-notes/{fieldNoteId}',
    access: 'user',
    names: { resource: 'field-note', id: 'fieldNoteId', right: 'read' },
    summary: 'One field note that one owns or may read',
    params: ById,
    returns: FieldNote,
    errors: ['field_note_not_found'],
  },
  update: {
    method: 'patch',
    path: '/api/field-notes/{fieldNoteId}',
    access: 'user',
    names: { resource: 'field-note', id: 'fieldNoteId', right: 'owner' },
    summary: 'Rename an own field note',
    params: ById,
    body: Content,
    returns: FieldNote,
    errors: ['field_note_not_found', 'right_missing'],
  },
  remove: {
    method: 'delete',
    path: '/api/field-notes/{fieldNoteId}',
    access: 'user',
    names: { resource: 'field-note', id: 'fieldNoteId', right: 'owner' },
    summary: 'Delete an own field note. It can be restored for 30 days',
    params: ById,
    returns: Nothing,
    errors: ['field_note_not_found', 'right_missing'],
  },
})

export const fieldNotesArea = area(fieldNotesDescription, { routes: fieldNotesRoutes, shapes: { FieldNote } })
