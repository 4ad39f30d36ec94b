/** A channel, for the tests over every kind of thing. */
import { type channelsArea, channelsRoutes } from '@atrium/contract/channels'
import { idsOf, outcomeOf, type SamplesOf } from '../../testing/samples.ts'

export const samples: SamplesOf<typeof channelsArea> = {
  channel: {
    make: async (owner, word) =>
      (await owner.call(channelsRoutes.create, { body: { type: 'private', name: `The ${word}` } })).id,
    list: async (client) => idsOf((await client.call(channelsRoutes.list, { query: {} })).items),
    read: (client, id) => outcomeOf(client, channelsRoutes.read, { params: { channelId: id } }),
    missing: 'channel_not_found',
    remove: (owner, id) => owner.call(channelsRoutes.removeChannel, { params: { channelId: id } }),
  },
}
