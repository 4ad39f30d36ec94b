import type { Notification } from '@atrium/contract/notifications'
import { Select } from '../../ui/select.tsx'
import { useNotificationKindName } from '../../blocks/notification-kind/kinds.ts'
import { useText } from 'virtual:words/notifications'
import { useOwnKinds } from './own-kinds.ts'

/** Which kind is shown; all of them where none is chosen. */
export function KindFilter({
  kind,
  onChange,
}: {
  kind: Notification['kind'] | undefined
  onChange: (kind: Notification['kind'] | undefined) => void
}) {
  const t = useText('notifications')
  const nameOf = useNotificationKindName()
  const kinds = useOwnKinds()
  return (
    <Select<string>
      aria-label={t('kind')}
      className="max-tab:w-full"
      value={kind ?? ''}
      onChange={(value) => onChange((value || undefined) as Notification['kind'] | undefined)}
      options={[{ value: '', label: t('allKinds') }, ...kinds.map((each) => ({ value: each, label: nameOf(each) }))]}
    />
  )
}
