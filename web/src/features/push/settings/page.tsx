import { pushRoutes } from '@atrium/contract/push'
import { useQuery } from '@tanstack/react-query'
import { onAccountEvent } from '../../../api/account-events.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { Browser } from './browser.tsx'
import { DeviceRow } from './device-row.tsx'
import { useText } from 'virtual:words/push'

onAccountEvent('push-devices-changed', () => void refresh(pushRoutes.devices))

/** This browser on or off, and every other one of the account. */
export function Push() {
  const t = useText('push')
  const devices = useQuery({ ...queryOf(pushRoutes.devices), staleTime: 0 })
  return (
    <>
      <p className="text-muted">{t('about')}</p>
      <QueryView query={devices} title={t('notLoaded')}>
        {({ items }) => (
          <>
            <div className="mt-4">
              <Browser devices={items} />
            </div>
            <Section id="devices" title={t('entry.devices')} text={t('devicesText')}>
              {items.length === 0 ? (
                <p className="py-3 text-sm text-muted">{t('none')}</p>
              ) : (
                <ul>
                  {items.map((device) => (
                    <DeviceRow key={device.id} device={device} />
                  ))}
                </ul>
              )}
            </Section>
          </>
        )}
      </QueryView>
    </>
  )
}
