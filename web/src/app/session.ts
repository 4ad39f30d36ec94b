/** Whether somebody is signed in, what happens when that ends, and the way out. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { redirect } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { meQuery, preferencesQuery } from '../api/account.ts'
import { call, onOffline, onProofNeeded, onSessionLost } from '../api/client.ts'
import { codeOf } from '../api/errors.ts'
import { queryClient } from '../api/query.ts'
import { dropSharedFiles } from '../api/shared-files.ts'
import { links } from '../lib/links.ts'

/** Before a page of the signed-in part: loads account and preferences, or sends to sign-in or to the first run. */
export async function requireSession(here: string): Promise<void> {
  try {
    await Promise.all([queryClient.ensureQueryData(meQuery), queryClient.ensureQueryData(preferencesQuery)])
  } catch (error) {
    if (codeOf(error) !== 'unauthenticated') throw error
    await forgetKept()
    const info = await call(accountsRoutes.systemInfo)
    throw redirect({ href: info.hasUsers ? links.signIn(here) : links.welcome() })
  }
}

/** Calls that wait for the person, who answers them all at once in a window over the page. */
function createWaiting() {
  let asked: { answer: Promise<boolean>; settle: (is: boolean) => void } | null = null
  const watchers = new Set<() => void>()
  const set = (next: typeof asked) => {
    asked = next
    for (const watcher of watchers) watcher()
  }
  const watch = (watcher: () => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }
  return {
    ask(signal?: AbortSignal): Promise<boolean> {
      if (!asked) {
        const { promise, resolve } = Promise.withResolvers<boolean>()
        set({ answer: promise, settle: resolve })
      }
      const given = (asked as NonNullable<typeof asked>).answer
      if (!signal) return given
      return Promise.race([
        given,
        new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false))),
      ])
    },
    /** Ends the waiting of every call: they are sent again, or fail. */
    settle(is: boolean): void {
      const before = asked
      set(null)
      before?.settle(is)
    },
    useAsked: (): boolean => useSyncExternalStore(watch, () => asked !== null),
  }
}

const lost = createWaiting()
const proof = createWaiting()
onSessionLost(lost.ask)
onProofNeeded(proof.ask)
onOffline((path, input) =>
  import('../blocks/offline/offline.ts').then(
    ({ readOffline }) => readOffline(path, input),
    // This part of the app is not on the device.
    () => undefined,
  ),
)

/** Whether the session has ended under an open page. */
export const useSessionLost = lost.useAsked
export const settleSession = lost.settle

/** Whether something waits for its owner to show again who they are. */
export const useProofNeeded = proof.useAsked
export const settleProof = proof.settle

/** What is kept on the device for reading without a network goes with the session. */
const forgetKept = async (): Promise<void> =>
  await import('../blocks/offline/offline.ts').then(
    ({ wipeOffline }) => wipeOffline(),
    // It was never loaded here: there is nothing.
    () => undefined,
  )

/** Signs out and forgets everything that the page knows. Drafts that only this browser has are not thrown away. */
export async function signOut(): Promise<void> {
  const answer = await call(accountsRoutes.logout, {}, { asGuest: true }).catch((error: unknown) => {
    if (codeOf(error) !== 'unauthenticated') throw error
    return {}
  })
  for (const [key, draft] of Object.entries<string>(localStorage))
    if (/^atrium\.(?:channel-)?draft:/.test(key) && draft.includes('"saved":true')) localStorage.removeItem(key)
  await Promise.all([forgetKept(), dropSharedFiles()])
  // A provider that began the session ends its own as well, and leads back.
  location.assign('redirect' in answer && answer.redirect ? answer.redirect : links.signIn())
}
