/** An artifact, for the tests over every kind of resource. */
import { type artifactsArea, artifactsRoutes } from '@atrium/contract/artifacts'
import { idsOf, outcomeOf, type SamplesOf } from '../../testing/samples.ts'

export const samples: SamplesOf<typeof artifactsArea> = {
  artifact: {
    async make(owner, word) {
      const body = { kind: 'markdown', title: `The ${word}`, content: `About ${word}` } as const
      return (await owner.call(artifactsRoutes.create, { body })).id
    },
    list: async (client) => idsOf((await client.call(artifactsRoutes.list, {})).items),
    read: (client, id) => outcomeOf(client, artifactsRoutes.read, { params: { artifactId: id } }),
    missing: 'artifact_not_found',
    remove: (owner, id) => owner.call(artifactsRoutes.remove, { params: { artifactId: id } }),
  },
}
