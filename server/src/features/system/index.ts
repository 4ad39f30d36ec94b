/**
 * The interface itself: its description, and what changes in an account while a page is open. It gives no figures of
 * the machine and no content.
 */
import { type AccountEvent, systemRoutes } from '@atrium/contract/system'
import { bindRoutes } from '../../platform/http/area.ts'
import type { StaticFile } from '../../platform/http/static-file.ts'
import type { EventLog } from '../../platform/events/types.ts'

export interface SystemDeps {
  readonly events: Pick<EventLog, 'follow' | 'lastSeq'>
  readonly openApi: () => Promise<Record<string, unknown> | StaticFile>
}

export const createSystem = (deps: SystemDeps) => {
  const follow = (accountId: string, after: number, signal: AbortSignal) =>
    deps.events.follow<AccountEvent>(streamOf(accountId), after, signal)
  /** Who names no place has just loaded everything, and wants what comes from now on. */
  const now = (accountId: string) => deps.events.lastSeq(streamOf(accountId).id)
  return bindRoutes({
    name: 'system',
    routes: systemRoutes,
    handlers: {
      async events({ query }, { caller: { accountId }, after, signal }) {
        return follow(accountId, after > 0 || query.after === 0 ? after : await now(accountId), signal)
      },
      openapi: () => deps.openApi(),
    },
    sockets: [
      {
        path: '/ws',
        audience: 'events',
        open: async ({ caller: { accountId }, after, signal }) =>
          follow(accountId, after ?? (await now(accountId)), signal),
      },
    ],
  })
}

const streamOf = (accountId: string) => ({ id: `account:${accountId}`, accountId })
