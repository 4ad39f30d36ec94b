/** Who is signed in, and what they prefer. */
import { type User, accountsRoutes } from '@atrium/contract/accounts'
import type { Selection } from '@atrium/contract/common'
import type { GenerationOptions } from '@atrium/contract/generation'
import { type Preferences, type PreferencesPatch, settingsRoutes } from '@atrium/contract/settings'
import { useSuspenseQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { keyOf, queryClient, queryOf, refresh } from './query.ts'
import { runInTurn } from './saves.ts'

export const meQuery = queryOf(accountsRoutes.me, {}, { asGuest: true })
export const preferencesQuery = queryOf(settingsRoutes.read, {}, { asGuest: true })

/** The signed-in account; only inside the signed-in part of the app, which loads it first. */
export const useMe = (): User => useSuspenseQuery({ ...meQuery, staleTime: 300_000 }).data
export const useIsAdmin = (): boolean => useMe().role === 'admin'

/** The own preferences, all of them; only inside the signed-in part of the app. */
export const usePreferences = (): Preferences => useSuspenseQuery({ ...preferencesQuery, staleTime: 300_000 }).data

let pending = 0
let isOutdated = false

/** They were changed, here or elsewhere. What is being saved is on screen already: read meanwhile, it would jump back. */
export function refreshPreferences(): void {
  isOutdated = pending > 0
  if (!isOutdated) void refresh(settingsRoutes.read)
}

/**
 * Changes preferences: on screen at once, then on the server, one after the other, also when the page is left meanwhile.
 * Throws `Problem` after the screen was set back to what the server has.
 */
export async function savePreferences(patch: PreferencesPatch): Promise<void> {
  const key = keyOf(settingsRoutes.read)
  // Not awaited: cancelling takes effect at once, and a control that has been clicked must not jump back meanwhile.
  void queryClient.cancelQueries({ queryKey: key })
  queryClient.setQueryData<Preferences>(key, (before) => before && mergePreferences(before, patch))
  pending++
  try {
    const stored = await runInTurn('preferences', () =>
      call(settingsRoutes.update, { body: patch }, { keepalive: true }),
    )
    // A later change is on screen already; its own answer comes soon.
    if (pending === 1) queryClient.setQueryData(key, stored)
  } catch (error) {
    isOutdated = true
    throw error
  } finally {
    pending--
    if (pending === 0 && isOutdated) refreshPreferences()
  }
}

/** Sets what is used whenever a model answers; no options: what the account uses with all models. */
export async function saveModelOptions(selection: Selection, options: GenerationOptions): Promise<void> {
  const stored = await runInTurn('preferences', () =>
    call(settingsRoutes.updateModelGenerationOptions, { body: { ...selection, options } }),
  )
  // What is on screen already of a later change comes with its own answer.
  if (pending === 0) queryClient.setQueryData(keyOf(settingsRoutes.read), stored)
}

/** The document after a patch, by the rule of the contract: some members merge, the rest is replaced. */
export function mergePreferences(before: Preferences, patch: PreferencesPatch): Preferences {
  return {
    ...before,
    ...patch,
    theme: { ...before.theme, ...patch.theme },
    layout: { ...before.layout, ...patch.layout },
    readAloud: { ...before.readAloud, ...patch.readAloud },
    dictation: { ...before.dictation, ...patch.dictation },
    chat: { ...before.chat, ...patch.chat },
  }
}
