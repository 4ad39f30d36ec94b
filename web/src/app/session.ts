/** Whether somebody is signed in, what happens when that ends, and the way out. */
import { authentication } from '@atrium/contract/authentication'
import { redirect } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { meQuery, preferencesQuery } from '../api/account.ts'
import { call, onSessionLost } from '../api/client.ts'
import { codeOf } from '../api/errors.ts'
import { queryClient } from '../api/query.ts'
import { links } from '../lib/links.ts'

/** Before a page of the signed-in part: loads account and preferences, or sends to sign-in or to the first run. */
export async function requireSession(here: string): Promise<void> {
  try {
    await Promise.all([queryClient.ensureQueryData(meQuery), queryClient.ensureQueryData(preferencesQuery)])
  } catch (error) {
    if (codeOf(error) !== 'unauthenticated') throw error
    const info = await call(authentication.systemInfo)
    throw redirect({ href: info.hasUsers ? links.signIn(here) : links.welcome() })
  }
}

let lost: { regained: Promise<boolean>; settle: (regained: boolean) => void } | null = null
const watchers = new Set<() => void>()

onSessionLost((signal) => {
  if (!lost) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    lost = { regained: promise, settle: resolve }
    tell()
  }
  const given = lost.regained
  if (!signal) return given
  return Promise.race([
    given,
    new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false))),
  ])
})

/** Whether the session has ended under an open page. */
export const useSessionLost = (): boolean => useSyncExternalStore(watch, () => lost !== null)

/** Ends the waiting of every call: they are sent again, or fail. */
export function settleSession(regained: boolean): void {
  lost?.settle(regained)
  lost = null
  tell()
}

/** Signs out and forgets everything that the page knows. Drafts that only this browser has are not thrown away. */
export async function signOut(): Promise<void> {
  const answer = await call(authentication.logout, {}, { asGuest: true }).catch((error: unknown) => {
    if (codeOf(error) !== 'unauthenticated') throw error
    return {}
  })
  for (const [key, draft] of Object.entries<string>(localStorage))
    if (key.startsWith('atrium.draft:') && draft.includes('"saved":true')) localStorage.removeItem(key)
  // A provider that began the session ends its own as well, and leads back.
  location.assign('redirect' in answer && answer.redirect ? answer.redirect : links.signIn())
}

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
function tell() {
  for (const watcher of watchers) watcher()
}
