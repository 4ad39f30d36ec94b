/** A field note, for the tests over every kind of resource. */
import { type fieldNotesArea, fieldNotesRoutes } from '@atrium/contract/field-notes'
import { idsOf, outcomeOf, type SamplesOf } from '../../testing/samples.ts'

export const samples: SamplesOf<typeof fieldNotesArea> = {
  'field-note': {
    make: async (owner, word) => (await owner.call(fieldNotesRoutes.create, { body: { title: `The ${word}` } })).id,
    list: async (client) => idsOf((await client.call(fieldNotesRoutes.list, {})).items),
    read: (client, id) => outcomeOf(client, fieldNotesRoutes.read, { params: { fieldNoteId: id } }),
    missing: 'field_note_not_found',
    remove: (owner, id) => owner.call(fieldNotesRoutes.remove, { params: { fieldNoteId: id } }),
  },
}
