/** Routes of what administrators decide about a connection for others: who has it, and the key that calls carry then. */
import { z } from 'zod'
import { Id, Nothing } from '../common.ts'
import { routes } from '../route.ts'

/**
 * Who has a connection. `opt-in`: everybody may switch it on, with a key of their own where one is needed. `everyone`:
 * it is on for all accounts. `groups`: it is on for members of some groups, and nobody else sees it. `private`: it is
 * on for the administrator who set this, and nobody else sees it. Administrators see every connection.
 */
export const SharingMode = z.enum(['opt-in', 'everyone', 'groups', 'private'])
export type SharingMode = z.infer<typeof SharingMode>

/**
 * The key that is kept for everybody who has the connection: none is kept, it is used, it was saved for another address
 * and is not used until it is saved again, or this connection takes none (it needs no key, or is not one that comes
 * with Atrium at its own address: such a place asks every account for its own).
 */
export const SharedKeyState = z.enum(['none', 'saved', 'other-route', 'not-possible'])

export const ConnectionSharing = z.strictObject({
  mode: SharingMode,
  /** With `groups`: those that it is for. A group that was deleted is left out. */
  groups: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  /** With `private`: whether it is the caller’s. */
  own: z.boolean(),
  key: z.strictObject({
    state: SharedKeyState,
    /** The last characters; null for a short key, or none. */
    ending: z.string().nullable(),
    savedAt: z.string().nullable(),
  }),
})
export type ConnectionSharing = z.infer<typeof ConnectionSharing>

/** Whether an account without a model asked for one, and whom it asks. */
export const ModelRequest = z.strictObject({
  /** When it asked, as long as nobody answered. */
  requestedAt: z.string().nullable(),
  /** The names of administrators, at most five. */
  administrators: z.array(z.string()),
})
export type ModelRequest = z.infer<typeof ModelRequest>

const WaitingAccount = z.strictObject({ accountId: z.string(), name: z.string(), requestedAt: z.string() })

const ById = z.strictObject({ id: Id })

export const sharing = routes({
  sharing: {
    method: 'get',
    path: '/api/connections/{id}/sharing',
    access: 'admin',
    names: 'instance',
    summary: 'Get who has a connection, and whether there is a shared key',
    params: ById,
    returns: ConnectionSharing,
    errors: ['plugin_not_found'],
  },
  saveSharing: {
    method: 'put',
    path: '/api/connections/{id}/sharing',
    access: 'admin',
    names: 'instance',
    summary: 'Set who has a connection. For people who turned it off, it stays off',
    params: ById,
    body: z.strictObject({
      mode: SharingMode,
      /** With `groups`: at least one. */
      groupIds: z.array(Id).max(100).optional(),
    }),
    returns: ConnectionSharing,
    errors: ['plugin_not_found', 'group_not_found'],
  },
  saveSharedKey: {
    method: 'put',
    path: '/api/connections/{id}/sharing/key',
    access: 'admin',
    names: 'instance',
    limit: 'connect',
    summary:
      'Store a shared key for everyone who has a connection, encrypted. Only for bundled connections at their own address',
    params: ById,
    body: z.strictObject({ apiKey: z.string().trim().min(1).max(4096) }),
    returns: ConnectionSharing,
    errors: ['plugin_not_found'],
  },
  removeSharedKey: {
    method: 'delete',
    path: '/api/connections/{id}/sharing/key',
    access: 'admin',
    names: 'instance',
    summary: 'Delete a connection’s shared key',
    params: ById,
    returns: ConnectionSharing,
    errors: ['plugin_not_found'],
  },
  modelRequest: {
    method: 'get',
    path: '/api/connections/request',
    access: 'user',
    summary: 'Get whether you asked the administrators for a model, and who they are',
    returns: ModelRequest,
  },
  requestModel: {
    method: 'post',
    path: '/api/connections/request',
    access: 'user',
    limit: 'connect',
    summary: 'Ask the administrators for a model. Asking again doesn’t add a request',
    returns: ModelRequest,
  },
  modelRequests: {
    method: 'get',
    path: '/api/connections/requests',
    access: 'admin',
    summary: 'List the accounts that asked for a model, oldest first, at most 200',
    returns: z.strictObject({ items: z.array(WaitingAccount), nextCursor: z.null() }),
  },
  dismissModelRequest: {
    method: 'delete',
    path: '/api/connections/requests/{accountId}',
    access: 'admin',
    names: 'instance',
    summary: 'Dismiss an account’s request for a model',
    params: z.strictObject({ accountId: Id }),
    returns: Nothing,
    errors: ['user_not_found'],
  },
})
