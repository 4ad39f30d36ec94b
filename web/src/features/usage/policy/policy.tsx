import { type RecordPolicy, usageRoutes } from '@atrium/contract/usage'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { saveInTurn } from '../../../api/saves.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { useText } from 'virtual:words/usage'

const policies = ['off', 'sums', 'full'] as const satisfies readonly RecordPolicy[]

/** What is recorded of calls, with what each choice means. */
export function PolicyChoice() {
  const t = useText('usage')
  const setting = useQuery(queryOf(usageRoutes.policy))
  const { saving, save } = useSave()
  const choose = async (policy: RecordPolicy) => {
    await saveInTurn(usageRoutes.policy, () => call(usageRoutes.updatePolicy, { body: { policy } }))
    await refresh(usageRoutes.report)
  }
  return (
    <div className="max-w-3xl pb-16">
      <p className="text-muted">{t('policy.about')}</p>
      <QueryView query={setting}>
        {({ policy, lockedByEnv }) => (
          <Row
            id="usage-policy"
            stacked
            label={t('policy.label')}
            help={t(`policy.help.${policy}`)}
            source={lockedByEnv && <Badge tone="info">{t('policy.fixed')}</Badge>}
            saving={saving}
          >
            {() => (
              <SegmentedControl
                label={t('policy.label')}
                value={policy}
                disabled={lockedByEnv}
                options={policies.map((value) => ({ value, label: t(`policy.${value}`) }))}
                onChange={(next) => void save(() => choose(next))}
              />
            )}
          </Row>
        )}
      </QueryView>
    </div>
  )
}
