import { firstRestoreRoutes } from '@atrium/contract/recovery-backup'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { queryOf } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { RestoreProgress } from './restore-progress.tsx'
import { UploadBackup } from './upload-backup.tsx'
import { useText } from 'virtual:words/accounts-first-run'

const command = 'npm run restore -- --from /path/to/backups --to /path/to/new-data --key -'
const lookMs = 1000
/** It may be begun in another tab, and takes longer than this, also where it is small. */
const waitMs = 800

/** How a backup comes back where there is no account yet: sent from here, or on the machine with the server stopped. */
export function RestoreBackup() {
  const t = useText('accounts-first-run')
  const restore = useQuery({
    ...queryOf(firstRestoreRoutes.firstRestore, {}, { asGuest: true }),
    staleTime: 0,
    // While the server begins anew it does not answer: what was known before stays.
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'running' || data?.state === 'restored' ? lookMs : data?.state !== 'unavailable' && waitMs,
    refetchIntervalInBackground: true,
  })
  const at = restore.data
  const isUnderWay = at?.state === 'running' || at?.state === 'restored'
  const [wasUnderWay, setUnderWay] = useState(false)
  if (isUnderWay && !wasUnderWay) setUnderWay(true)
  const isDone = wasUnderWay && at?.state === 'unavailable'
  useEffect(() => {
    // Nothing of what this page knows is true any more.
    if (isDone) location.assign(links.signIn())
  }, [isDone])
  return (
    <Disclosure title={t('restore')} className="mt-6 text-sm" open={wasUnderWay || at?.state === 'failed' || undefined}>
      {isUnderWay && <RestoreProgress at={at} />}
      {/* What was chosen and typed stays for another try. */}
      <div hidden={isUnderWay}>
        {at && at.state !== 'unavailable' && (
          <>
            {wasUnderWay && at.state === 'waiting' && (
              <p role="alert" className="mt-3 text-danger-ink">
                {t('restoreLost')}
              </p>
            )}
            <UploadBackup last={at} />
            <p className="mt-6 font-medium">{t('restoreOr')}</p>
          </>
        )}
        <RestoreCommand />
      </div>
    </Disclosure>
  )
}

function RestoreCommand() {
  const t = useText('accounts-first-run')
  return (
    <>
      <p className="mt-2 text-muted">{t('restoreText')}</p>
      <div className="mt-2 flex items-center gap-2 rounded-lg border border-line bg-raised py-1 ps-3 pe-1">
        <code dir="ltr" className="min-w-0 flex-1 text-start break-words">
          {command}
        </code>
        <CopyButton text={command} />
      </div>
      <p className="mt-2 text-muted">{t('restoreMore')}</p>
    </>
  )
}
