import {
  type CodeAccess,
  type CodeAccessMode,
  codeInterpreterRoutes as routes,
} from '@atrium/contract/code-interpreter'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, queryOf } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { useText } from 'virtual:words/code-interpreter'

const modes = ['off', 'admins', 'all-users'] as const satisfies readonly CodeAccessMode[]

/** Who may run code on this server, and what a program may and may not do. */
export function CodeSettings() {
  const t = useText('code-interpreter')
  const access = useQuery(queryOf(routes.access))
  return (
    <>
      <p className="text-muted">{t('about')}</p>
      <QueryView query={access}>{(data) => <Mode access={data} />}</QueryView>
    </>
  )
}

function Mode({ access: { mode, source } }: { access: CodeAccess }) {
  const t = useText('code-interpreter')
  const { saving, save } = useSave()
  const isFixed = source === 'environment'
  const choose = (next: CodeAccessMode) =>
    void save(async () => {
      queryClient.setQueryData(keyOf(routes.access), await call(routes.updateAccess, { body: { mode: next } }))
    })
  return (
    <Row
      id="codeMode"
      label={t('entry.codeMode')}
      help={t(`help.${mode}`)}
      source={
        isFixed && <Badge tone="info">{t('setting-row:source.environment', { variable: 'CODE_INTERPRETER' })}</Badge>
      }
      saving={saving}
      stacked
    >
      {(names) => (
        <SegmentedControl
          label={names['aria-label']}
          value={mode}
          disabled={isFixed}
          options={modes.map((value) => ({ value, label: t(`mode.${value}`) }))}
          onChange={choose}
        />
      )}
    </Row>
  )
}
