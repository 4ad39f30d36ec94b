/** Notifications of a right that was granted, revoked or has expired: to open pages, and to open streams. */
import type { ResourceType } from '@atrium/contract/resources'
import type { GrantRow } from './tables.ts'
import type { Shareable } from '../resources/index.ts'
import type { AccessDeps } from './context.ts'

export interface ReaderNotifier {
  /** About these grants, which are there or gone by now. `memberIds`: of a group that is gone itself. */
  notifyGrantees(rows: readonly GrantRow[], memberIds?: readonly string[]): Promise<void>
  /** About what these accounts reach by grants of a group that they came into or left. */
  notifyMembers(rows: readonly GrantRow[], accountIds: readonly string[]): Promise<void>
}

export const createReaderNotifier = ({
  principals,
  announce,
  interrupt,
  kinds,
}: Pick<AccessDeps, 'principals' | 'announce' | 'interrupt'> & {
  kinds: ReadonlyMap<ResourceType, Shareable>
}): ReaderNotifier => {
  const announceTo = async (rows: readonly GrantRow[], accountsOf: (row: GrantRow) => Promise<readonly string[]>) => {
    const concerned = new Set<string>()
    for (const row of rows) {
      const accountIds = await accountsOf(row)
      if (accountIds.length > 0) await kinds.get(row.resource_type)?.changed(row.resource_id, accountIds)
      for (const id of accountIds) concerned.add(id)
    }
    if (concerned.size === 0) return
    for (const id of concerned) await announce(id, { type: 'shared-changed', data: {} })
    await interrupt([...concerned])
  }
  return {
    notifyGrantees: (rows, memberIds) =>
      announceTo(rows, async ({ principal_type, principal_id }) =>
        principal_type === 'account'
          ? [principal_id]
          : (memberIds ?? (await principals.groups.memberIds(principal_id))),
      ),
    notifyMembers: (rows, accountIds) => announceTo(rows, async () => accountIds),
  }
}
