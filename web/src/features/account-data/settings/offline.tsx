import { useQuery } from '@tanstack/react-query'
import { isKeeping, offlineSize, setKeeping } from '../../../blocks/offline/offline.ts'
import { queryClient } from '../../../api/query.ts'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { formatSize } from '../../../lib/format.ts'
import { useText } from 'virtual:words/account-data'

const queryKey = ['offline kept']

/** Whether this device keeps what was read, and how much that is. */
export function OfflineRow() {
  const t = useText('account-data')
  const kept = useQuery({
    queryKey,
    queryFn: async () => ({ on: isKeeping(), bytes: await offlineSize() }),
    staleTime: 0,
  }).data
  if (!kept) return null
  return (
    <SwitchRow
      id="offline"
      label={t('entry.offline')}
      help={t('offlineText', { size: formatSize(kept.bytes) })}
      value={kept.on}
      onSave={async (on) => {
        await setKeeping(on)
        await queryClient.invalidateQueries({ queryKey })
      }}
    />
  )
}
