import type { FirstRestore } from '@atrium/contract/recovery-backup'
import { formatNumber } from '../../../lib/format.ts'
import { Progress } from '../../../ui/progress.tsx'
import { useText } from 'virtual:words/accounts-first-run'

/** How far a restore is that runs on the server, whichever tab began it. */
export function RestoreProgress({ at }: { at: FirstRestore }) {
  const t = useText('accounts-first-run')
  const words = at.state === 'restored' ? t('restoreStarting') : t(`restoreStep.${at.step ?? 'check'}`)
  return (
    <div role="status" className="mt-3 flex flex-col gap-1.5">
      <span>{words}</span>
      <Progress label={words} share={null} className="w-full" />
      <span className="text-muted">
        {at.rows > 0 ? t('restoreRows', { rows: formatNumber(at.rows) }) : t('restoreLeave')}
      </span>
    </div>
  )
}
