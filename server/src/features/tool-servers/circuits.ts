/**
 * One circuit for each server and account: what cannot be reached is left alone for a while, longer each time, and says
 * why. Kept in the database, so that all processes know it, and so that a page can show it.
 */
import type { ToolServerContext } from './context.ts'
import { ServerFault, type ServerFaultKind, type ServerLink } from './kind.ts'
import { createLink } from './gated-fetch.ts'
import { pauseAfter } from './rules.ts'
import type { StoredServer } from './store.ts'

/** That all goes well is written down no more often. */
const writtenEveryMs = 60_000
/** Faults that say the server is away, and not that it was asked something wrong. */
const away: readonly ServerFaultKind[] = ['unreachable', 'timeout', 'protocol']

export const createCircuits = (context: Pick<ToolServerContext, 'store' | 'clock' | 'gateOf' | 'openAuth'>) => {
  const { store, clock, gateOf, openAuth } = context

  const openLink = async (server: StoredServer, accountId: string): Promise<ServerLink> =>
    createLink({ server, accountId, outbound: gateOf(server), auth: await openAuth(server, accountId) })

  return {
    openLink,

    /**
     * Asks a server on an account's behalf. Refuses at once, as a fault, while it is left alone (`always`: asks all the
     * same, as somebody wants to know). `revisionOf` tells what was agreed on.
     */
    async ask<T>(
      server: StoredServer,
      accountId: string,
      work: (link: ServerLink) => Promise<T>,
      {
        always = false,
        revisionOf,
      }: { readonly always?: boolean; readonly revisionOf?: (value: T) => string | null } = {},
    ): Promise<T> {
      const known = (await store.health(accountId)).get(server.id)
      const now = clock.now()
      if (!always && known?.retry_at && known.retry_at > now)
        throw new ServerFault('unreachable', `${known.problem ?? 'It could not be reached.'} Atrium tries again later.`)
      const row = { account_id: accountId, server_id: server.id }
      try {
        const value = await work(await openLink(server, accountId))
        const revision = revisionOf?.(value) ?? known?.revision ?? null
        const stale = !known || known.fault !== null || now - known.checked_at > writtenEveryMs
        if (stale || revision !== known.revision)
          await store.saveHealth({
            ...row,
            fault: null,
            problem: null,
            revision,
            checked_at: clock.now(),
            failures: 0,
            retry_at: null,
          })
        return value
      } catch (error) {
        if (!(error instanceof ServerFault) || error.kind === 'cancelled') throw error
        const failures = away.includes(error.kind) ? (known?.failures ?? 0) + 1 : 0
        await store.saveHealth({
          ...row,
          fault: error.kind,
          problem: error.message,
          revision: known?.revision ?? null,
          checked_at: clock.now(),
          failures,
          retry_at: error.kind === 'unreachable' ? clock.now() + pauseAfter(failures) : null,
        })
        throw error
      }
    },
  }
}

export type Circuits = ReturnType<typeof createCircuits>
