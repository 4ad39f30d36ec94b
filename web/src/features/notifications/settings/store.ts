/** How one wants to be notified, as the page shows and saves it. */
import { type NotificationPreferencesPatch, notificationsRoutes } from '@atrium/contract/notifications'
import type { Answer } from '@atrium/contract/route'
import { call } from '../../../api/client.ts'
import { queryClient, queryOf } from '../../../api/query.ts'

export type GivenPreferences = Answer<typeof notificationsRoutes.preferences>

/** On screen at once, and back where it fails. */
export async function savePreferences(body: NotificationPreferencesPatch): Promise<void> {
  const { queryKey } = queryOf(notificationsRoutes.preferences)
  const before = queryClient.getQueryData<GivenPreferences>(queryKey)
  if (before) queryClient.setQueryData(queryKey, { ...before, ...body, kinds: { ...before.kinds, ...body.kinds } })
  try {
    queryClient.setQueryData(queryKey, await call(notificationsRoutes.updatePreferences, { body }))
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    throw error
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
