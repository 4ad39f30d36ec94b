import { CopyButton } from '../../../blocks/copy-button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { useText } from 'virtual:words/accounts-first-run'

const command = 'npm run restore -- --from /path/to/backups --to /path/to/new-data --key -'

/** How a backup comes back where there is no account yet: on the machine, with the server stopped. */
export function RestoreBackup() {
  const t = useText('accounts-first-run')
  return (
    <Disclosure title={t('restore')} className="mt-6 text-sm">
      <p className="mt-2 text-muted">{t('restoreText')}</p>
      <div className="mt-2 flex items-center gap-2 rounded-lg border border-line bg-raised py-1 ps-3 pe-1">
        <code dir="ltr" className="min-w-0 flex-1 text-start break-words">
          {command}
        </code>
        <CopyButton text={command} />
      </div>
      <p className="mt-2 text-muted">{t('restoreMore')}</p>
    </Disclosure>
  )
}
