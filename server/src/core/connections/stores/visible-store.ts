/**
 * Leaves out connections that an account may not see: those by the server's sign-in are for administrators, and so are
 * those that are for others alone.
 */
import type { SignIn } from '../../../providers/sign-in/index.ts'
import { isForAdministrators } from '../keys.ts'
import type { ConnectionStore } from './index.ts'
import type { AccountConnection } from '../types.ts'

export interface VisibleStoreDeps {
  readonly store: ConnectionStore
  readonly signIn: SignIn | undefined
  readonly isAdministrator: (accountId: string) => Promise<boolean>
}

/** The store, as if what an account may not know of were not there. */
export function createVisibleStore({ store, signIn, isAdministrator }: VisibleStoreDeps): ConnectionStore {
  const visible = async (accountId: string, connections: AccountConnection[]): Promise<AccountConnection[]> => {
    const isOpen = ({ installed, own }: AccountConnection): boolean => !isForAdministrators(installed) && !own.excluded
    if (connections.every(isOpen)) return connections
    if (!(await isAdministrator(accountId))) return connections.filter(isOpen)
    const signInShown = signIn !== undefined && (await signIn.available()).state !== 'hidden'
    return signInShown ? connections : connections.filter(({ installed }) => !isForAdministrators(installed))
  }
  return {
    ...store,
    all: async (accountId) => await visible(accountId, await store.all(accountId)),
    active: async (accountId) => await visible(accountId, await store.active(accountId)),
    async one(accountId, id) {
      const found = await store.one(accountId, id)
      return found && ((await visible(accountId, [found]))[0] ?? null)
    },
  }
}
