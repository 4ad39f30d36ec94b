import type { Selection } from '@atrium/contract/common'
import type { ModelList } from '@atrium/contract/connections'
import { useNavigate } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { usePreferences } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { isComposing } from '../../lib/composing.ts'
import { useEarlyEnter } from '../../lib/early-enter.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toaster.tsx'
import { modelKey, modelsQuery, sameSelection, toggleFavourite } from '../models.ts'
import { useText } from 'virtual:words/blocks'
import { Filters } from './filters.tsx'
import { PickerFooter } from './footer.tsx'
import { fixLink, NoConnections, OldList, ProviderNotice, UnavailableChoice } from './notices.tsx'
import { cellId, type PickerEntry, rowHeight, Rows, selectionAt } from './rows.tsx'
import { countSections, type ModelFeature, missingChoices, filterModels, type ModelFilter } from './search.ts'
import { Sections } from './sections.tsx'
import { PickerPlaceholder } from './placeholder.tsx'

type Marked = Parameters<typeof missingChoices>[2]

/** The rows of a wish. What is chosen stands first; what a search or a list of favourites meets by the way stands last. */
function entriesOf(list: ModelList | undefined, filter: ModelFilter, marked: Marked): PickerEntry[] {
  const models = filterModels(list?.items ?? [], filter, marked.favourites, marked.recent).map(
    (model): PickerEntry => ({ model }),
  )
  const gone = missingChoices(list, filter, marked).map((one): PickerEntry => ({ missing: one }))
  return filter.words || filter.section === 'favourites' || filter.section === 'recent'
    ? [...models, ...gone]
    : [...gone, ...models]
}

const leaveOutAgents = (list: ModelList): ModelList => ({
  ...list,
  items: list.items.filter(({ selection }) => selection.providerType !== 'agent'),
  providers: list.providers.filter(({ providerType }) => providerType !== 'agent'),
})

/** Where one starts: at the first row that can be taken. */
const firstOf = (entries: readonly PickerEntry[]): number =>
  entries[0] && 'missing' in entries[0] && entries.length > 1 ? 1 : 0

/** Search, sections and the rows. The field keeps the focus; arrows move through the rows. */
export function Panel({
  value,
  withoutAgents,
  onPick,
  onClose,
}: {
  value: Selection | null
  withoutAgents: boolean
  onPick: (selection: Selection) => void
  onClose: () => void
}) {
  const t = useText('blocks')
  const id = useId()
  const navigate = useNavigate()
  const query = useQuery(modelsQuery)
  const all = query.data
  const list = useMemo(() => (all && withoutAgents ? leaveOutAgents(all) : all), [all, withoutAgents])
  const preferences = usePreferences()
  const { favouriteModels: favourites, recentModels: recent } = preferences
  const [words, setWords] = useState('')
  const [features, setFeatures] = useState<readonly ModelFeature[]>([])
  const [section, setSection] = useState('all')
  const [at, setAt] = useState<{ row: number | null; star: boolean }>({ row: null, star: false })
  const now = useMemo(() => ({ words, features, section }), [words, features, section])
  const filter = useDeferredValue(now)
  const marked = useMemo(() => ({ favourites, recent, value }), [favourites, recent, value])
  const entries = useMemo(() => entriesOf(list, filter, marked), [list, filter, marked])
  const counts = useMemo(
    () => countSections(list?.items ?? [], filter, favourites, recent),
    [list, filter, favourites, recent],
  )
  const box = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => modelKey(selectionAt(entries[index] as PickerEntry)),
    overscan: 6,
  })
  const active = Math.min(at.row ?? firstOf(entries), entries.length - 1)
  const entry = entries[active]

  // The list starts at what is chosen now.
  const [placed, setPlaced] = useState(false)
  useEffect(() => {
    if (placed || !list) return
    const chosen = entries.findIndex((one) => 'model' in one && sameSelection(one.model.selection, value))
    if (chosen > 0 && !words) {
      setAt({ row: chosen, star: false })
      virtual.scrollToIndex(chosen, { align: 'center' })
    }
    setPlaced(true)
  }, [placed, list, entries, value, words, virtual])

  // An Enter that came before the list takes what it means as soon as that is known.
  const setEntered = useEarlyEnter(placed || query.isError, () => {
    const chosen = placed && meant()
    if (chosen) take(chosen)
  })

  function restart() {
    setEntered(false)
    setAt({ row: null, star: false })
    virtual.scrollToOffset(0)
  }
  /** After a click on a section or a filter, keys go on in the list. Not on phones, where a keyboard would come up. */
  function narrow(change: () => void) {
    change()
    restart()
    if (!matchMedia('(pointer: coarse)').matches) field.current?.focus()
  }
  function move(row: number) {
    const next = Math.max(0, Math.min(entries.length - 1, row))
    setAt({ row: next, star: at.star })
    virtual.scrollToIndex(next)
  }
  const star = (selection: Selection) =>
    void toggleFavourite(preferences, selection).catch((error) => toast(wordsOf(error), { tone: 'danger' }))
  function take(chosen: PickerEntry) {
    if ('model' in chosen) return onPick(chosen.model.selection)
    onClose()
    void navigate({ to: fixLink(chosen.missing) })
  }

  /** The row that Enter means: whoever types faster than the rows follow means the first one that fits all words. */
  function meant(): PickerEntry | undefined {
    if (filter === now) return entry
    const fresh = entriesOf(list, now, marked)
    return fresh[at.row ?? firstOf(fresh)]
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (isComposing(event.nativeEvent)) return
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const atEnd = event.currentTarget.selectionStart === words.length
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }
    const by = moves[event.key]
    if (by !== undefined) move(active + by)
    else if (event.key === (rtl ? 'ArrowLeft' : 'ArrowRight') && atEnd) setAt({ row: active, star: true })
    else if (event.key === (rtl ? 'ArrowRight' : 'ArrowLeft') && at.star) setAt({ row: active, star: false })
    else if (event.key === 'Enter') {
      const chosen = meant()
      if (!placed) setEntered(true)
      else if (!chosen) return
      else at.star ? star(selectionAt(chosen)) : take(chosen)
    } else return
    event.preventDefault()
  }

  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-col gap-2 border-b border-line p-3">
        <Input
          ref={field}
          autoFocus
          icon={<Search />}
          role="combobox"
          aria-label={t('models.search')}
          aria-expanded
          aria-haspopup="grid"
          aria-controls={`${id}-rows`}
          aria-activedescendant={entry ? cellId(id, active, at.star ? 'star' : 'model') : undefined}
          placeholder={t('models.search')}
          value={words}
          onChange={(event) => {
            setWords(event.target.value)
            restart()
          }}
          onKeyDown={onKeyDown}
          spellCheck={false}
          autoComplete="off"
        />
        <Filters
          features={features}
          onChange={(next) => narrow(() => setFeatures(next))}
          section={section}
          onSection={(next) => narrow(() => setSection(next))}
          list={list}
        />
      </div>
      <div className="flex min-h-0 flex-1 max-tab:flex-col">
        <Sections list={list} value={section} onChange={(next) => narrow(() => setSection(next))} counts={counts} />
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <UnavailableChoice
            list={list}
            value={value}
            onClose={onClose}
            onOther={() =>
              narrow(() => {
                setWords('')
                setFeatures([])
                setSection('all')
              })
            }
          />
          <ProviderNotice list={list} section={section} />
          <OldList query={query} />
          {list && entries.length === 0 && (
            <EmptyState title={list.items.length ? t('models.none') : t('models.nothing')} className="py-8">
              {list.items.length ? t('models.noneHint') : t('models.nothingHint')}
            </EmptyState>
          )}
          {!list && <PickerPlaceholder query={query} />}
          <Rows
            id={id}
            box={box}
            virtual={virtual}
            entries={entries}
            value={value}
            favourites={favourites}
            active={{ row: active, part: at.star ? 'star' : 'model' }}
            onPick={onPick}
            onStar={star}
            onHover={(row) => setAt({ row, star: false })}
            onClose={onClose}
          />
          <NoConnections list={list} onClose={onClose} />
        </div>
      </div>
      <PickerFooter model={entry && 'model' in entry ? entry.model : undefined} list={list} onClose={onClose} />
    </div>
  )
}
