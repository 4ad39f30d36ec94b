import type { Model } from '@atrium/contract/connections'
import { groupsRoutes } from '@atrium/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Boxes, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { queryOf } from '../../../api/query.ts'
import { setGroups, setHidden, visibilityKey } from '../../../blocks/model-visibility/change.ts'
import { GroupsDialog } from '../../../blocks/model-visibility/dialogs.tsx'
import { useVisibility } from '../../../blocks/model-visibility/use-visibility.ts'
import { modelsQuery } from '../../../blocks/models.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { countStates, filterModels, type ModelFilter, states } from './filter.ts'
import { DefaultModel } from './default-model.tsx'
import { ModelRow } from './row.tsx'
import { useText } from 'virtual:words/connections'

const step = 50
const everything: ModelFilter = { words: '', provider: 'all', state: 'all' }

/** Every model that the administrator can use, and how everybody sees it: names, order, recommendations, groups. */
export function Models() {
  const t = useText('connections')
  const models = useQuery(modelsQuery)
  return (
    <section id="models-list" className="-mx-3 rounded-lg px-3">
      <p className="text-muted">{t('manage.text')}</p>
      <DefaultModel />
      <QueryView query={models}>
        {({ items }) => <List models={items.filter(({ selection }) => isManaged(selection.providerType))} />}
      </QueryView>
    </section>
  )
}

/** Agents have an access of their own, and the built-in one is always there. */
const isManaged = (type: Model['selection']['providerType']): boolean => type === 'local' || type === 'plugin'

function List({ models }: { models: readonly Model[] }) {
  const t = useText('connections')
  const { query, visibility, change } = useVisibility()
  const groups = useQuery(queryOf(groupsRoutes.groups, { query: { limit: 200 } }))
  const [filter, setFilter] = useState(everything)
  const [shown, setShown] = useState(step)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState(false)
  const words = useDeferredValue(filter.words)
  const found = filterModels(models, visibility, { ...filter, words })
  const counts = countStates(models, visibility)
  const providers = [...new Map(models.map((model) => [model.selection.providerId ?? '', model.providerName]))]
  const keys = found.map(({ selection }) => visibilityKey(selection))
  const marked = keys.filter((key) => chosen.has(key))
  const narrow = (part: Partial<ModelFilter>) => {
    setFilter({ ...filter, ...part })
    setShown(step)
  }
  const isNarrow = filter.words.trim() !== '' || filter.provider !== 'all' || filter.state !== 'all'
  const toggle = (key: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(key)
    else next.delete(key)
    setChosen(next)
  }
  if (models.length === 0) {
    return (
      <EmptyState
        icon={<Boxes />}
        title={t('manage.none')}
        action={
          <Button asChild>
            <Link to={links.settings('connections')}>{t('manage.connect')}</Link>
          </Button>
        }
      >
        {t('manage.noneText')}
      </EmptyState>
    )
  }
  return (
    <QueryView query={query}>
      {() => (
        <div className="mt-3">
          <div className="flex flex-wrap items-center gap-2">
            <Input
              type="search"
              icon={<Search />}
              aria-label={t('manage.search')}
              placeholder={t('manage.search')}
              value={filter.words}
              className="min-w-48 flex-1"
              onChange={(event) => narrow({ words: event.target.value })}
            />
            {providers.length > 1 && (
              <Select
                aria-label={t('manage.provider')}
                value={filter.provider}
                onChange={(provider) => narrow({ provider })}
                options={[
                  { value: 'all', label: t('manage.allProviders') },
                  ...providers.map(([id, name]) => ({ value: id, label: name })),
                ]}
              />
            )}
            <Select
              aria-label={t('manage.state')}
              value={filter.state}
              onChange={(state) => narrow({ state })}
              options={states.map((value) => ({
                value,
                label: t(`manage.states.${value}`, { amount: formatNumber(counts[value]) }),
              }))}
            />
          </div>
          <div className="mt-2 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2 text-sm">
            <Checkbox
              aria-label={t('manage.chooseAll', { count: keys.length })}
              checked={marked.length > 0 && marked.length === keys.length}
              disabled={keys.length === 0}
              onChange={(on) => setChosen(new Set(on ? keys : []))}
            />
            <span role="status" className="text-muted">
              {marked.length > 0
                ? t('manage.chosen', { count: marked.length })
                : t('manage.count', { count: found.length })}
            </span>
            {marked.length > 0 && (
              <span className="flex flex-wrap gap-1.5">
                <Button size="small" onClick={() => change(setHidden(visibility, marked, true))}>
                  {t('model-visibility:hide')}
                </Button>
                <Button size="small" onClick={() => change(setHidden(visibility, marked, false))}>
                  {t('model-visibility:show')}
                </Button>
                <Button size="small" onClick={() => setAsking(true)}>
                  {t('model-visibility:groups.menu')}
                </Button>
              </span>
            )}
          </div>
          <ul className="mt-1 border-t border-line">
            {found.slice(0, shown).map((model) => (
              <ModelRow
                key={visibilityKey(model.selection)}
                model={model}
                keys={isNarrow ? null : keys}
                visibility={visibility}
                groupNames={new Map(groups.data?.items.map(({ id, name }) => [id, name]))}
                chosen={chosen.has(visibilityKey(model.selection))}
                onChosen={(on) => toggle(visibilityKey(model.selection), on)}
                onChange={change}
              />
            ))}
          </ul>
          {found.length === 0 && <p className="py-4 text-muted">{t('manage.nothing')}</p>}
          {found.length > shown && (
            <Button size="small" className="mt-3" onClick={() => setShown(shown + step * 4)}>
              {t('manage.more', { count: Math.min(step * 4, found.length - shown) })}
            </Button>
          )}
          {asking && (
            <GroupsDialog
              title={t('manage.groupsTitle', { count: marked.length })}
              chosen={marked.length === 1 ? (visibility.groups[marked[0] ?? ''] ?? []) : []}
              onClose={() => setAsking(false)}
              onSave={(groupIds) => change(setGroups(visibility, marked, groupIds))}
            />
          )}
        </div>
      )}
    </QueryView>
  )
}
