/** What accounts keep in files: one's own by kind and name, everybody's as a sum, which is all that administrators see. */
import type { Storage } from '@atrium/contract/account-data'
import type { AccountDataDeps } from './context.ts'

const mostItems = 50
const mostAccounts = 200

/** What an account keeps, and how much it may. */
export const readStorage = async (
  { files, resources, quotaBytes }: Pick<AccountDataDeps, 'files' | 'resources' | 'quotaBytes'>,
  accountId: string,
): Promise<Storage> => {
  const [usedBytes, quota, kinds, lists] = await Promise.all([
    files.used(accountId),
    quotaBytes(),
    Promise.all(
      [...resources.stored].map(async ([kind, { storage }]) => {
        const { count, bytes, trashedBytes } = await storage.sum(accountId)
        return { kind, count, bytes, trashedBytes }
      }),
    ),
    Promise.all(
      [...resources.stored].map(async ([kind, { storage }]) =>
        (await storage.largest(accountId, mostItems)).map((item) => Object.assign({ kind }, item)),
      ),
    ),
  ])
  const largest = lists
    .flat()
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, mostItems)
  return { usedBytes, quotaBytes: quota === 0 ? null : quota, kinds, largest }
}

/** The accounts that keep most, the first with the most. */
export const listAccountStorage = async ({
  files,
  names,
}: Pick<AccountDataDeps, 'files' | 'names'>): Promise<{ id: string; name: string; bytes: number }[]> => {
  const rows = await files.largestAccounts(mostAccounts)
  const known = await names(rows.map(({ accountId }) => accountId))
  return rows.map(({ accountId, bytes }) => ({ id: accountId, name: known.get(accountId) ?? '', bytes }))
}
