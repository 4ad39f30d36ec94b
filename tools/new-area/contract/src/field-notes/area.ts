/** What the rest of the product derives from this area: its error codes, events, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const fieldNotesDescription = describeArea({
  name: 'field-notes',
  tag: 'field-notes',
  errors: {
    field_note_not_found: [404, 'There is no such field note.'],
  },
  events: {
    'field-notes-changed': z.strictObject({}),
  },
  scopes: ['read', 'write'],
  resources: {
    'field-note': { shared: true, found: true, trashed: true, counted: 'fieldNotes' },
  },
})
