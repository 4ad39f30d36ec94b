/** The account's events while the shell is open, and what the app itself does with them. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { connectionsRoutes } from '@atrium/contract/connections'
import { speechRoutes } from '@atrium/contract/speech'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { create } from 'zustand'
import { refreshPreferences, useMe } from '../../api/account.ts'
import { followAccount, onAccountEvent } from '../../api/account-events.ts'
import { call } from '../../api/client.ts'
import type { FollowState } from '../../api/follow.ts'
import { onPushOpened } from '../../api/pushed.ts'
import { keyOf, queryClient, refresh } from '../../api/query.ts'
import { links } from '../../lib/links.ts'

/** `lost` once the server has been out of reach for some seconds. */
export const useConnection = create<'fine' | 'lost'>(() => 'fine')

onAccountEvent('preferences-changed', refreshPreferences)
onAccountEvent('models-changed', () => {
  void refresh(connectionsRoutes.models)
  void refresh(connectionsRoutes.connections)
  void refresh(speechRoutes.transcriptionModels)
  void refresh(speechRoutes.speechModels)
  // Giving everybody a model answers who asked for one.
  void refresh(connectionsRoutes.modelRequest)
})
// Another name or role: pages for administrators come or go at once.
onAccountEvent('account-changed', () => void refresh(accountsRoutes.me))
// What an account may use decides about parts of almost every page.
onAccountEvent('features-changed', () => void queryClient.invalidateQueries())
// What was missed is not kept any more: everything on screen loads again.
onAccountEvent('reset', () => void queryClient.invalidateQueries())
// Any call of a signed-in page notices; this one asks at once, so that the dialog comes before the next click.
onAccountEvent('session-ended', () => void call(accountsRoutes.me).catch(() => undefined))

export function useAccountStream(): void {
  const { id } = useMe()
  const navigate = useNavigate()
  useEffect(
    () =>
      onAccountEvent('people-changed', ({ waiting }) => {
        const open = () => void navigate({ to: links.settings('people') })
        void import('./notify-pending-accounts.ts').then(({ notifyPendingAccounts }) =>
          notifyPendingAccounts(waiting, open),
        )
      }),
    [navigate],
  )
  useEffect(
    () =>
      onAccountEvent('model-requests-changed', ({ name }) => {
        const open = () => void navigate({ to: links.settings('connections') })
        void import('./notify-model-requests.ts').then(({ notifyModelRequests }) => notifyModelRequests(name, open))
      }),
    [navigate],
  )
  useEffect(
    () =>
      onAccountEvent('session-started', (session) => {
        void import('../../features/accounts/sessions/notify-sign-in.ts').then(({ notifySignIn }) =>
          notifySignIn(session.id, (href) => void navigate({ href })),
        )
      }),
    [navigate],
  )
  useEffect(() => onPushOpened((href) => void navigate({ href })), [navigate])
  useEffect(() => {
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let broken = false
    // Whoever is signed in is asked first, and everything else is loaded after.
    const loadedAt = queryClient.getQueryState(keyOf(accountsRoutes.me))?.dataUpdatedAt ?? Date.now()
    const onState = (state: FollowState) => {
      if (state === 'open') {
        // Whatever broke the stream off may have been a change of what this account may do.
        if (broken) void refresh(accountsRoutes.me)
        broken = false
        clearTimeout(timer)
        timer = undefined
        useConnection.setState('fine', true)
      } else if (state === 'waiting') {
        broken = true
        timer ??= setTimeout(() => useConnection.setState('lost', true), 4000)
      }
    }
    followAccount(id, { signal: ended.signal, loadedAt, onState })
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [id])
}
