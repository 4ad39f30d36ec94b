import type { AccessMode } from '@atrium/contract/common'
import { toolRounds, toolsRoutes as routes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'
import { keyOf, queryClient, queryOf, refresh } from '../../../api/query.ts'
import { AccessModeRow } from '../../../blocks/setting-row/access-mode-row.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { useText } from 'virtual:words/tools'
import { BuiltinPolicy } from './builtin-policy.tsx'

/** Who can let models use tools, and what the built-in ones may do. */
export function ToolAccess() {
  const t = useText('tools')
  const access = useQuery(queryOf(routes.access))
  return (
    <QueryView query={access}>
      {({ mode, lockedByEnv, maxRounds, maxRoundsLockedByEnv }) => (
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
          <TextRow
            id="rounds"
            label={t('entry.rounds')}
            help={
              <>
                {t('rounds.help')} {maxRoundsLockedByEnv && t('rounds.fixed', { variable: 'TOOLS_MAX_ROUNDS' })}
              </>
            }
            value={String(maxRounds)}
            inputMode="numeric"
            ltr
            disabled={maxRoundsLockedByEnv}
            onSave={(text) => saveRounds(text, t('rounds.outOfRange', toolRounds))}
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

/** `fault`: what is said of a number that is out of range. */
async function saveRounds(text: string, fault: string): Promise<void> {
  const maxRounds = Number(text.trim())
  if (!Number.isInteger(maxRounds) || maxRounds < toolRounds.least || maxRounds > toolRounds.most)
    throw new Problem('out_of_range', fault)
  queryClient.setQueryData(keyOf(routes.access), await call(routes.updateAccess, { body: { maxRounds } }))
}
