import type { FeatureRule } from '@atrium/contract/access'
import type { AccessMode } from '@atrium/contract/common'
import type { Group } from '@atrium/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { everyGroup } from '../../../api/people.ts'
import { RuleRow, allModes } from '../../../blocks/feature-access/feature-access-row.tsx'
import { featuresQuery, saveFeature, withGroup } from '../../../blocks/feature-access/save-feature.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { useSave } from '../../../blocks/setting-row/row.tsx'
import { wordsOf } from '../../../api/errors.ts'
import { links } from '../../../lib/links.ts'
import { usePhone } from '../../../lib/media.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText as useFeatureText } from 'virtual:words/feature-access'
import { useText } from 'virtual:words/access-settings'

/** Every feature with who can use it: a table with a column for each group, on a phone a list. */
export function FeaturesPage() {
  const t = useText('access-settings')
  const features = useQuery({ ...featuresQuery, staleTime: 0 })
  const groups = useQuery({ ...everyGroup, staleTime: 10_000 })
  const phone = usePhone()
  return (
    <section id="matrix" className="-mx-3 rounded-lg px-3">
      <p className="mb-4 text-muted">{t('about')}</p>
      <QueryView query={features}>
        {({ items }) => (
          <QueryView query={groups}>
            {(all) => (
              <>
                {phone ? <RuleList rules={items} /> : <Matrix rules={items} groups={all} />}
                {all.length === 0 && (
                  <p className="mt-4 text-sm text-muted">
                    {t('noGroups')}{' '}
                    <Link
                      to={links.settings('people', 'groups')}
                      className="text-accent-ink underline underline-offset-2"
                    >
                      {t('toGroups')}
                    </Link>
                  </p>
                )}
              </>
            )}
          </QueryView>
        )}
      </QueryView>
    </section>
  )
}

function RuleList({ rules }: { rules: readonly FeatureRule[] }) {
  const t = useFeatureText('feature-access')
  const hint = useHint()
  return rules.map((rule) => (
    <RuleRow
      key={rule.name}
      rule={rule}
      id={`feature-${rule.name}`}
      label={t(`name.${rule.name}`)}
      help={hint(rule)}
      canBeOff
    />
  ))
}

function Matrix({ rules, groups }: { rules: readonly FeatureRule[]; groups: readonly Group[] }) {
  const t = useText('access-settings')
  const { saving, save } = useSave()
  return (
    <>
      <p aria-live="polite" className="min-h-6 text-sm text-danger-ink">
        {saving.state === 'failed' && `${t('setting-row:notSaved')} ${wordsOf(saving.error)}`}
      </p>
      <div
        role="region"
        aria-label={t('entry.matrix')}
        // Scrolled by keys where there are many groups.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="overflow-x-auto rounded-lg border border-line focus-visible:outline-2"
      >
        <table className="w-full border-collapse">
          <thead className="bg-sunken text-sm text-muted">
            <tr>
              <th scope="col" className="sticky start-0 z-1 min-w-52 bg-sunken px-3 py-2 text-start font-medium">
                {t('feature')}
              </th>
              <th scope="col" className="px-3 py-2 text-start font-medium">
                {t('who')}
              </th>
              {groups.map(({ id, name }) => (
                <th key={id} scope="col" className="max-w-40 min-w-24 px-3 py-2 text-center font-medium wrap-anywhere">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <MatrixRow key={rule.name} rule={rule} groups={groups} save={(work) => void save(work)} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function MatrixRow({
  rule,
  groups,
  save,
}: {
  rule: FeatureRule
  groups: readonly Group[]
  save: (work: () => Promise<void>) => void
}) {
  const words = useFeatureText('feature-access')
  const t = useText('access-settings')
  const { mode, modes, groupIds } = rule
  const ownHint = useHint()(rule)
  const hint = mode === 'groups' && groupIds.length === 0 ? words('groupsGone') : ownHint
  const name = words(`name.${rule.name}`)
  // Groups are chosen in their columns: the word alone says nothing while there is none.
  const shown = allModes.filter(
    (each) => each === mode || (modes.includes(each) && (each !== 'groups' || groupIds.length > 0)),
  )
  return (
    <tr className="border-t border-line">
      <th scope="row" className="sticky start-0 z-1 bg-surface px-3 py-2.5 text-start font-normal">
        <span className="font-medium">{name}</span>
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </th>
      <td className="px-3 py-2.5">
        <Select<AccessMode>
          aria-label={t('whoOf', { name })}
          className="w-44"
          value={mode}
          disabled={modes.length === 0}
          options={shown.map((value) => ({ value, label: words(`mode.${value}`) }))}
          onChange={(next) =>
            save(() => saveFeature(rule.name, (latest) => ({ mode: next, groupIds: latest.groupIds })))
          }
        />
      </td>
      {groups.map((group) => (
        <td key={group.id} className="px-3 py-2.5 text-center">
          <Checkbox
            aria-label={t('cell', { name, group: group.name })}
            checked={mode === 'groups' && groupIds.includes(group.id)}
            // Whatever is chosen, the first tick makes it for the group.
            disabled={!modes.includes('groups')}
            onChange={(on) => save(() => saveFeature(rule.name, (latest) => withGroup(latest, group.id, on)))}
          />
        </td>
      ))}
    </tr>
  )
}

/** What more there is to say of a rule. */
const useHint = () => {
  const t = useText('access-settings')
  return ({ available, mode, modes, source, variable }: FeatureRule): string | undefined => {
    if (modes.length === 0 && variable !== null) return t('setting-row:source.environment', { variable })
    if (source === 'unreadable') return t('setting-row:source.unreadable')
    return !available && mode !== 'off' ? t('notSetUp') : undefined
  }
}
