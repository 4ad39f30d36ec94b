import type { Selection } from '@atrium/contract/common'
import type { Model } from '@atrium/contract/model-management'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { usePreferences } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { cx } from '../../lib/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toaster.tsx'
import { modelKey, sameSelection, toggleFavourite, useModels } from '../models.ts'
import { useText } from '../texts.ts'
import { Filters } from './filters.tsx'
import { PickerFooter } from './footer.tsx'
import { ModelRow } from './row.tsx'
import { type Feature, pick } from './search.ts'
import { Sections } from './sections.tsx'
import { NoConnections, ProviderNotice, UnavailableChoice } from './notices.tsx'

const rowHeight = 52

/** Search, sections and the rows. The field keeps the focus; arrows move through the rows. */
export function Panel({
  value,
  onPick,
  onClose,
}: {
  value: Selection | null
  onPick: (selection: Selection) => void
  onClose: () => void
}) {
  const t = useText('blocks')
  const id = useId()
  const list = useModels()
  const preferences = usePreferences()
  const [words, setWords] = useState('')
  const [features, setFeatures] = useState<readonly Feature[]>([])
  const [section, setSection] = useState('all')
  const [at, setAt] = useState({ row: 0, star: false })
  const wish = useDeferredValue(useMemo(() => ({ words, features, section }), [words, features, section]))
  const rows = useMemo(
    () => pick(list?.items ?? [], wish, preferences.favouriteModels, preferences.recentModels),
    [list, wish, preferences.favouriteModels, preferences.recentModels],
  )
  const box = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => modelKey((rows[index] as Model).selection),
    overscan: 6,
  })
  const active = Math.min(at.row, rows.length - 1)

  // The list starts at what is chosen now.
  const [placed, setPlaced] = useState(false)
  useEffect(() => {
    if (placed || !list) return
    const chosen = rows.findIndex((model) => sameSelection(model.selection, value))
    if (chosen > 0) {
      setAt({ row: chosen, star: false })
      virtual.scrollToIndex(chosen, { align: 'center' })
    }
    setPlaced(true)
  }, [placed, list, rows, value, virtual])

  function search(next: string) {
    setWords(next)
    setAt({ row: 0, star: false })
    virtual.scrollToOffset(0)
  }
  /** After a click on a section or a filter, keys go on in the list. Not on phones, where a keyboard would come up. */
  function narrow(change: () => void) {
    change()
    setAt({ row: 0, star: false })
    virtual.scrollToOffset(0)
    if (!matchMedia('(pointer: coarse)').matches) field.current?.focus()
  }
  function move(row: number) {
    const next = Math.max(0, Math.min(rows.length - 1, row))
    setAt({ row: next, star: at.star })
    virtual.scrollToIndex(next)
  }
  const star = (model: Model) =>
    void toggleFavourite(preferences, model.selection).catch((error) => toast(wordsOf(error), { tone: 'danger' }))

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const atEnd = event.currentTarget.selectionStart === words.length
    const model = rows[active]
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }
    const by = moves[event.key]
    if (by !== undefined) move(active + by)
    else if (event.key === (rtl ? 'ArrowLeft' : 'ArrowRight') && atEnd) setAt({ row: active, star: true })
    else if (event.key === (rtl ? 'ArrowRight' : 'ArrowLeft') && at.star) setAt({ row: active, star: false })
    else if (event.key === 'Enter' && model) at.star ? star(model) : onPick(model.selection)
    else return
    event.preventDefault()
  }

  const cell = (index: number, part: 'model' | 'star') => `${id}-${index}-${part}`
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
          aria-activedescendant={rows.length ? cell(active, at.star ? 'star' : 'model') : undefined}
          placeholder={t('models.search')}
          value={words}
          onChange={(event) => search(event.target.value)}
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
        <Sections
          list={list}
          value={section}
          onChange={(next) => narrow(() => setSection(next))}
          preferences={preferences}
        />
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <UnavailableChoice list={list} value={value} onClose={onClose} />
          <ProviderNotice list={list} section={section} />
          <div
            ref={box}
            id={`${id}-rows`}
            role="grid"
            aria-label={t('models.title')}
            aria-rowcount={rows.length}
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5"
          >
            <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
              {virtual.getVirtualItems().map((item) => {
                const model = rows[item.index] as Model
                return (
                  <ModelRow
                    key={item.key}
                    model={model}
                    place={{ index: item.index, count: rows.length, top: item.start, height: rowHeight }}
                    ids={{ model: cell(item.index, 'model'), star: cell(item.index, 'star') }}
                    chosen={sameSelection(model.selection, value)}
                    starred={preferences.favouriteModels.includes(modelKey(model.selection))}
                    active={item.index === active ? (at.star ? 'star' : 'model') : null}
                    onPick={() => onPick(model.selection)}
                    onStar={() => star(model)}
                    onHover={() => setAt({ row: item.index, star: false })}
                  />
                )
              })}
            </div>
            {list && rows.length === 0 && (
              <EmptyState title={list.items.length ? t('models.none') : t('models.nothing')} className="py-8">
                {list.items.length ? t('models.noneHint') : t('models.nothingHint')}
              </EmptyState>
            )}
          </div>
          <NoConnections list={list} onClose={onClose} />
        </div>
      </div>
      <PickerFooter model={rows[active]} list={list} className={cx(rows.length === 0 && 'hidden')} />
    </div>
  )
}
