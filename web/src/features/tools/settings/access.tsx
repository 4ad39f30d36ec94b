import type { AccessMode } from '@atrium/contract/common'
import { toolsRoutes as routes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, queryOf, refresh } from '../../../api/query.ts'
import { AccessModeRow } from '../../../blocks/setting-row/access-mode-row.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { useText } from 'virtual:words/tools'
import { BuiltinPolicy } from './builtin-policy.tsx'

/** Who can let models use tools, and what the built-in ones may do. */
export function ToolAccess() {
  const t = useText('tools')
  const access = useQuery(queryOf(routes.access))
  return (
    <QueryView query={access}>
      {({ mode, lockedByEnv }) => (
        <>
          <AccessModeRow
            id="mode"
            label={t('entry.mode')}
            help={t(`mode.help.${mode}`)}
            mode={mode}
            nameOf={(each) => t(`mode.${each}`)}
            variable={lockedByEnv ? 'TOOLS_ACCESS_MODE' : null}
            onSave={saveMode}
          />
          <BuiltinPolicy isOff={mode === 'off'} />
        </>
      )}
    </QueryView>
  )
}

async function saveMode(mode: AccessMode): Promise<void> {
  queryClient.setQueryData(keyOf(routes.access), await call(routes.updateAccess, { body: { mode } }))
  await refresh(routes.catalog)
}
