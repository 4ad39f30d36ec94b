import { notificationsRoutes } from '@atrium/contract/notifications'
import { useQuery } from '@tanstack/react-query'
import { onAccountEvent } from '../../../api/account-events.ts'
import { queryOf } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { useText } from 'virtual:words/notifications-settings'
import { ChannelChoices } from './channel-choices.tsx'
import { Keywords } from './keywords.tsx'
import { DigestTime } from './digest-time.tsx'
import { KindTable } from './kind-table.tsx'
import { QuietHours } from './quiet-hours.tsx'
import { refreshPreferences, savePreferences } from './store.ts'

onAccountEvent('notification-preferences-changed', refreshPreferences)

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
          <Keywords preferences={given} />
          <Section id="channels" title={t('entry.channels')} text={t('channelsText')}>
            <ChannelChoices />
          </Section>
          {given.ways.includes('mail') && <DigestTime preferences={given} />}
          {given.ways.some((way) => way !== 'webhook') && (
            <SwitchRow
              id="away"
              label={t('entry.away')}
              help={t('awayText')}
              value={given.onlyWhenAway}
              onSave={(onlyWhenAway) => savePreferences({ onlyWhenAway })}
            />
          )}
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
