/** An automation, for the tests over every kind of resource. */
import { type automationsArea, automationsRoutes } from '@atrium/contract/automations'
import { idsOf, outcomeOf, type SamplesOf } from '../../testing/samples.ts'

export const samples: SamplesOf<typeof automationsArea> = {
  automation: {
    make: async (owner, word) => {
      const body = { name: `The ${word}`, instructions: `Say ${word}.`, triggers: [] }
      return (await owner.call(automationsRoutes.create, { body })).id
    },
    list: async (client) => idsOf((await client.call(automationsRoutes.list, {})).items),
    read: (client, id) => outcomeOf(client, automationsRoutes.read, { params: { automationId: id } }),
    missing: 'automation_not_found',
    remove: (owner, id) => owner.call(automationsRoutes.remove, { params: { automationId: id } }),
  },
}
