import type { FeatureName, FeatureRule } from '@atrium/contract/access'
import type { AccessMode } from '@atrium/contract/common'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { everyGroup } from '../../api/people.ts'
import { Badge } from '../../ui/badge.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { QueryView } from '../setting-row/query-view.tsx'
import { Row, useSave } from '../setting-row/row.tsx'
import { useText } from 'virtual:words/feature-access'
import { featuresQuery, saveFeature, withGroup } from './save-feature.ts'

/** Who can use a feature: nobody, administrators, the members of groups, or everyone; for administrators. */
export function FeatureAccessRow({
  feature,
  id,
  label,
  help,
  canBeOff = true,
}: {
  feature: FeatureName
  id: string
  label: string
  help?: (mode: AccessMode) => ReactNode
  /** false: the page has a switch for that. */
  canBeOff?: boolean
}) {
  const features = useQuery(featuresQuery)
  return (
    <QueryView query={features}>
      {({ items }) => {
        const rule = items.find(({ name }) => name === feature)
        return rule && <RuleRow rule={rule} id={id} label={label} help={help?.(rule.mode)} canBeOff={canBeOff} />
      }}
    </QueryView>
  )
}

export function RuleRow({
  rule,
  id,
  label,
  help,
  canBeOff,
}: {
  rule: FeatureRule
  id: string
  label: string
  help?: ReactNode
  canBeOff: boolean
}) {
  const t = useText('feature-access')
  const { saving, save } = useSave()
  const [choosing, setChoosing] = useState(false)
  const { name, mode, modes, variable } = rule
  const isFixed = modes.length === 0
  const shown = choosing ? 'groups' : mode
  const choose = (next: AccessMode) => {
    setChoosing(next === 'groups' && rule.groupIds.length === 0)
    if (next !== 'groups' || rule.groupIds.length > 0)
      void save(() => saveFeature(name, ({ groupIds }) => ({ mode: next, groupIds })))
  }
  const options = (isFixed ? allModes : allModes.filter((each) => modes.includes(each))).filter(
    (each) => canBeOff || each !== 'off',
  )
  return (
    <Row
      id={id}
      label={label}
      help={help}
      source={variable !== null && <Badge tone="info">{t('setting-row:source.environment', { variable })}</Badge>}
      saving={saving}
      stacked
    >
      {() => (
        <div className="flex flex-col gap-3">
          <SegmentedControl
            label={label}
            value={shown}
            disabled={isFixed}
            options={options.map((value) => ({ value, label: t(`mode.${value}`) }))}
            onChange={choose}
            className="self-start"
          />
          {mode === 'groups' && rule.groupIds.length === 0 && <p className="text-sm text-muted">{t('groupsGone')}</p>}
          {shown === 'groups' && (
            <GroupChoice
              label={label}
              chosen={mode === 'groups' ? rule.groupIds : []}
              onChange={(groupId, on) => {
                setChoosing(false)
                void save(() => saveFeature(name, (latest) => withGroup(latest, groupId, on)))
              }}
            />
          )}
        </div>
      )}
    </Row>
  )
}

export const allModes = ['off', 'admins', 'groups', 'all-users'] as const satisfies readonly AccessMode[]

function GroupChoice({
  label,
  chosen,
  onChange,
}: {
  label: string
  chosen: readonly string[]
  onChange: (groupId: string, on: boolean) => void
}) {
  const t = useText('feature-access')
  const groups = useQuery(everyGroup)
  return (
    <QueryView query={groups}>
      {(items) =>
        items.length === 0 ? (
          <p className="text-sm text-muted">{t('noGroups')}</p>
        ) : (
          <fieldset>
            <legend className="sr-only">{t('groupsOf', { name: label })}</legend>
            <div className="flex flex-wrap gap-x-6 gap-y-2">
              {items.map(({ id, name }) => (
                <CheckField
                  key={id}
                  label={<bdi className="wrap-anywhere">{name}</bdi>}
                  checked={chosen.includes(id)}
                  onChange={(on) => onChange(id, on)}
                />
              ))}
            </div>
            <p className="mt-2 text-sm text-muted">{t('adminsToo')}</p>
          </fieldset>
        )
      }
    </QueryView>
  )
}
