import type { AccessMode } from '@atrium/contract/common'
import { codeInterpreterRoutes as routes } from '@atrium/contract/code-interpreter'
import { useQuery } from '@tanstack/react-query'
import { useIsAdmin } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, queryOf } from '../../../api/query.ts'
import { AccessModeRow } from '../../../blocks/setting-row/access-mode-row.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { KeptRow } from './kept.tsx'
import { useText } from 'virtual:words/code-interpreter'

/** What a program may and may not do, who may run code on this server, and what programs keep. */
export function CodeSettings() {
  const t = useText('code-interpreter')
  const isAdmin = useIsAdmin()
  return (
    <>
      <p className="text-muted">{t('about')}</p>
      {isAdmin && <ModeRow />}
      <KeptRow />
    </>
  )
}

function ModeRow() {
  const t = useText('code-interpreter')
  const access = useQuery(queryOf(routes.access))
  return (
    <QueryView query={access}>
      {({ mode, source }) => (
        <AccessModeRow
          id="codeMode"
          label={t('entry.codeMode')}
          help={t(`help.${mode}`)}
          mode={mode}
          nameOf={(each) => t(`mode.${each}`)}
          variable={source === 'environment' ? 'CODE_INTERPRETER' : null}
          onSave={saveMode}
        />
      )}
    </QueryView>
  )
}

async function saveMode(mode: AccessMode): Promise<void> {
  queryClient.setQueryData(keyOf(routes.access), await call(routes.updateAccess, { body: { mode } }))
}
