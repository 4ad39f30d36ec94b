import { type NotificationPreferencesPatch, notificationsRoutes } from '@atrium/contract/notifications'
import { useQuery } from '@tanstack/react-query'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { queryClient, queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { useText } from 'virtual:words/notifications-settings'
import { type GivenPreferences, KindTable } from './kind-table.tsx'
import { QuietHours } from './quiet-hours.tsx'

onAccountEvent('notification-preferences-changed', () => void refresh(notificationsRoutes.preferences))

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

/** By which ways each kind is told, and when nothing is. */
export function NotificationSettings() {
  const t = useText('notifications-settings')
  const preferences = useQuery({ ...queryOf(notificationsRoutes.preferences), staleTime: 0 })
  return (
    <QueryView query={preferences} title={t('notLoaded')} lines={8}>
      {(given) => (
        <>
          <Section id="kinds" title={t('entry.kinds')} text={t('kindsText')}>
            <KindTable preferences={given} />
          </Section>
          {given.ways.some((way) => way !== 'webhook') && (
            <SwitchRow
              id="words"
              label={t('entry.words')}
              help={t('wordsText')}
              value={given.words}
              onSave={(words) => savePreferences({ words })}
            />
          )}
          {given.ways.length > 0 && (
            <Section id="quiet" title={t('entry.quiet')} text={t('quietText')}>
              <QuietHours preferences={given} />
            </Section>
          )}
        </>
      )}
    </QueryView>
  )
}
