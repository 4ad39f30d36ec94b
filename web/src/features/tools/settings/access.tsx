import { toolRounds, toolsRoutes as routes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'
import { keyOf, queryClient, queryOf } from '../../../api/query.ts'
import { FeatureAccessRow } from '../../../blocks/feature-access/feature-access-row.tsx'
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
      {({ mode, maxRounds, maxRoundsLockedByEnv }) => (
        <>
          <FeatureAccessRow
            feature="tools"
            id="mode"
            label={t('entry.mode')}
            help={(shown) => t(`mode.help.${shown}`)}
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

/** `fault`: what is said of a number that is out of range. */
async function saveRounds(text: string, fault: string): Promise<void> {
  const maxRounds = Number(text.trim())
  if (!Number.isInteger(maxRounds) || maxRounds < toolRounds.least || maxRounds > toolRounds.most)
    throw new Problem('out_of_range', fault)
  queryClient.setQueryData(keyOf(routes.access), await call(routes.updateAccess, { body: { maxRounds } }))
}
