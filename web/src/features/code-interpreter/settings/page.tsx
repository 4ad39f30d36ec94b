import { useIsAdmin } from '../../../api/account.ts'
import { FeatureAccessRow } from '../../../blocks/feature-access/feature-access-row.tsx'
import { KeptRow } from './kept.tsx'
import { useText } from 'virtual:words/code-interpreter'

/** What a program may and may not do, who may run code on this server, and what programs keep. */
export function CodeSettings() {
  const t = useText('code-interpreter')
  const isAdmin = useIsAdmin()
  return (
    <>
      <p className="text-muted">{t('about')}</p>
      {isAdmin && (
        <FeatureAccessRow
          feature="code-interpreter"
          id="codeMode"
          label={t('entry.codeMode')}
          help={(mode) => t(`help.${mode}`)}
        />
      )}
      <KeptRow />
    </>
  )
}
