/** A tool server, for the tests over every kind of resource. */
import { type toolServersArea, toolServersRoutes } from '@atrium/contract/tool-servers'
import { idsOf, outcomeOf, type SamplesOf } from '../../testing/samples.ts'

export const samples: SamplesOf<typeof toolServersArea> = {
  'tool-server': {
    // One that wants a secret is not asked before somebody saved one.
    async make(owner, word) {
      const body = {
        name: `The ${word}`,
        kind: 'mcp',
        baseUrl: 'https://93.184.215.14/mcp',
        authMode: 'bearer',
        accessMode: 'granted',
      } as const
      return (await owner.call(toolServersRoutes.addServer, { body })).id
    },
    list: async (client) => idsOf((await client.call(toolServersRoutes.servers, {})).items),
    read: (client, id) => outcomeOf(client, toolServersRoutes.server, { params: { id } }),
    missing: 'tool_server_not_found',
    remove: (owner, id) => owner.call(toolServersRoutes.removeServer, { params: { id } }),
  },
}
