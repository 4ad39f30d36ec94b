/** How one wants to be notified, as the page shows and saves it. */
import { type NotificationPreferencesPatch, notificationsRoutes } from '@atrium/contract/notifications'
import type { Answer } from '@atrium/contract/route'
import { call } from '../../../api/client.ts'
import { queryClient, queryOf, refresh } from '../../../api/query.ts'
import { runInTurn, savesOf } from '../../../api/saves.ts'

export type GivenPreferences = Answer<typeof notificationsRoutes.preferences>

let pending = 0
let isOutdated = false

/** They were changed, here or elsewhere. What is being saved is on screen already: read meanwhile, it would jump back. */
export function refreshPreferences(): void {
  isOutdated = pending > 0
  if (!isOutdated) void refresh(notificationsRoutes.preferences)
}

/** On screen at once, and back where it fails. One after the other: what was chosen last is what stays. */
export async function savePreferences(body: NotificationPreferencesPatch): Promise<void> {
  const { queryKey } = queryOf(notificationsRoutes.preferences)
  void queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<GivenPreferences>(
    queryKey,
    (before) => before && { ...before, ...body, kinds: { ...before.kinds, ...body.kinds } },
  )
  pending++
  try {
    const stored = await runInTurn(savesOf(notificationsRoutes.preferences), () =>
      call(notificationsRoutes.updatePreferences, { body }),
    )
    // A later change is on screen already; its own answer comes soon.
    if (pending === 1) queryClient.setQueryData(queryKey, stored)
  } catch (error) {
    isOutdated = true
    throw error
  } finally {
    pending--
    if (pending === 0 && isOutdated) refreshPreferences()
  }
}

/** Who never chose a zone or a quiet hour means the zone of this clock. */
export const ownZone = ({
  quietHours,
  timeZone,
}: Pick<GivenPreferences, 'quietHours' | 'timeZone'>): { timeZone?: string } =>
  timeZone === 'UTC' && quietHours.every((each) => each === null)
    ? { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
    : {}
