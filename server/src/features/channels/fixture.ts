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
  'channel-message': {
    async make(owner, word) {
      const body = { type: 'private' as const, name: 'Animals' }
      const { id: channelId } = await owner.call(channelsRoutes.create, { body })
      const said = { params: { channelId }, body: { content: `The ${word} sleeps.` } }
      return (await owner.call(channelsRoutes.post, said)).id
    },
    async list(client) {
      const { items } = await client.call(channelsRoutes.list, { query: {} })
      const all = items.map(({ id }) => client.call(channelsRoutes.messages, { params: { channelId: id }, query: {} }))
      return (await Promise.all(all)).flatMap((stretch) => idsOf(stretch.items))
    },
    read: (client, id) => outcomeOf(client, channelsRoutes.thread, { params: { messageId: id }, query: {} }),
    missing: 'channel_message_not_found',
    remove: (owner, id) => owner.call(channelsRoutes.remove, { params: { messageId: id } }),
  },
}
