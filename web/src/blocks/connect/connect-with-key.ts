/** How a key that was typed in becomes a connection. */
import { connectionsRoutes } from '@atrium/contract/connections'
import type { Answer } from '@atrium/contract/route'
import { call } from '../../api/client.ts'

/**
 * Switches a connection on and saves its key: for this account alone, or, as an administrator may, for everybody on the
 * server, who then have the connection at once. Gives what the provider answered.
 */
export async function connectWithKey(
  id: string,
  apiKey: string,
  forEveryone: boolean,
): Promise<Answer<typeof connectionsRoutes.saveKey>> {
  const params = { id }
  const body = { apiKey: apiKey.trim() }
  if (!forEveryone) {
    await call(connectionsRoutes.activate, { params })
    return await call(connectionsRoutes.saveKey, { params, body })
  }
  await call(connectionsRoutes.saveSharedKey, { params, body })
  await call(connectionsRoutes.saveSharing, { params, body: { mode: 'everyone' } })
  // Also where this administrator had switched it off before.
  return await call(connectionsRoutes.activate, { params })
}
