/**
 * SCIM 2.0 (RFC 7643, RFC 7644): a directory makes, changes and disables accounts here, and keeps groups. It comes with
 * tokens of its own that are valid for nothing else; what belongs to people is never deleted by it, and the last administrator
 * is out of its reach.
 */
import { scimRoutes } from '@atrium/contract/scim'
import { type BoundRoutes, bindRoutes, type Provisioner } from '../../platform/http/area.ts'
import type { ScimDeps, ScimContext } from './context.ts'
import { discoveryHandlers } from './discovery.ts'
import { groupHandlers } from './groups.ts'
import { createScimStore } from './store.ts'
import { scimMigrations } from './tables.ts'
import { createScimTokens } from './tokens.ts'
import { userHandlers } from './users.ts'

export { scimMigrations, scimSealed } from './tables.ts'

export interface Scim {
  readonly area: BoundRoutes<typeof scimRoutes>
  /** Which directory shows this token; null for none. */
  authenticate(bearer: string): Promise<Provisioner | null>
}

export const createScim = (deps: ScimDeps): Scim => {
  const { accounts, audit, clock } = deps
  const store = createScimStore(deps)
  const tokens = createScimTokens({ ...deps, store })
  const whoOf: ScimContext['whoOf'] = ({ requestId, address }) => ({
    actor: { kind: 'system', accountId: null },
    requestId,
    address,
  })
  const parts: ScimContext = {
    clock,
    store,
    whoOf,
    base: deps.baseUrl?.href.replace(/\/$/, '') ?? '',
    provisioning: deps.signInProviders.provisioning,
    administration: accounts.administration,
    groups: deps.groups,
    note: (action, id, context, details, type = 'account') =>
      audit.record({
        ...whoOf(context),
        action,
        target: { type, id },
        details: { ...details, source: 'scim', token: context.provisioner?.tokenId ?? null },
      }),
  }
  return {
    authenticate: tokens.authenticate,
    area: bindRoutes({
      name: 'scim',
      routes: scimRoutes,
      migrations: scimMigrations,
      handlers: {
        ...tokens.handlers,
        ...discoveryHandlers(parts.base),
        ...userHandlers(parts),
        ...groupHandlers(parts),
      },
    }),
  }
}
