import type { Notification } from '@atrium/contract/notifications'
import { notificationKinds } from '@atrium/contract/notifications'
import { Select } from '../../ui/select.tsx'
import { useText } from 'virtual:words/notification-kind'
import { translate } from 'virtual:words/notifications'

/** Which kind is shown; all of them where none is chosen. */
export function KindFilter({
  kind,
  onChange,
}: {
  kind: Notification['kind'] | undefined
  onChange: (kind: Notification['kind'] | undefined) => void
}) {
  const name = useText('notification-kind')
  return (
    <Select<string>
      aria-label={translate('notifications:kind')}
      value={kind ?? ''}
      onChange={(value) => onChange((value || undefined) as Notification['kind'] | undefined)}
      options={[
        { value: '', label: translate('notifications:allKinds') },
        ...notificationKinds.map((each) => ({ value: each, label: name(`name.${each}`) })),
      ]}
    />
  )
}
