import { type ToolAccessMode, toolsRoutes as routes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import type { Answer } from '@atrium/contract/route'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { useText } from 'virtual:words/tools'
import { BuiltinPolicy } from './builtin-policy.tsx'

const modes = ['off', 'admins', 'all-users'] as const satisfies readonly ToolAccessMode[]

/** Who may have models use tools, and what the built-in ones may do. */
export function ToolAccess() {
  const access = useQuery(queryOf(routes.access))
  return (
    <QueryView query={access}>
      {(data) => (
        <>
          <Mode access={data} />
          <BuiltinPolicy isOff={data.mode === 'off'} />
        </>
      )}
    </QueryView>
  )
}

function Mode({ access: { mode, lockedByEnv } }: { access: Answer<typeof routes.access> }) {
  const t = useText('tools')
  const { saving, save } = useSave()
  const choose = (next: ToolAccessMode) =>
    void save(async () => {
      const saved = await call(routes.updateAccess, { body: { mode: next } })
      queryClient.setQueryData(keyOf(routes.access), saved)
      await refresh(routes.catalog)
    })
  return (
    <Row
      id="mode"
      label={t('mode.label')}
      help={t(`mode.help.${mode}`)}
      source={
        lockedByEnv && (
          <Badge tone="info">{t('setting-row:source.environment', { variable: 'TOOLS_ACCESS_MODE' })}</Badge>
        )
      }
      saving={saving}
      stacked
    >
      {(names) => (
        <SegmentedControl
          label={names['aria-label']}
          value={mode}
          disabled={lockedByEnv}
          onChange={choose}
          options={modes.map((value) => ({ value, label: t(`mode.${value}`) }))}
        />
      )}
    </Row>
  )
}
