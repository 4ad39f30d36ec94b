import type { Selection } from '@atrium/contract/common'
import type { Model } from '@atrium/contract/connections'
import type { Virtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { modelKey, sameSelection } from '../models.ts'
import { useText } from 'virtual:words/blocks'
import { MissingRow } from './missing-row.tsx'
import { ModelRow } from './row.tsx'
import type { MissingChoice } from './search.ts'

/** A model that can be taken, or a choice that is not there. */
export type PickerEntry = { readonly model: Model } | { readonly missing: MissingChoice }
export type PickerColumn = 'model' | 'star'

export const rowHeight = 52
export const selectionAt = (entry: PickerEntry): Selection =>
  'model' in entry ? entry.model.selection : entry.missing.selection

/** The part of the list that is in sight, and a row more or two. */
export function Rows({
  id,
  box,
  virtual,
  entries,
  value,
  favourites,
  active,
  onPick,
  onStar,
  onHover,
  onClose,
}: {
  id: string
  box: RefObject<HTMLDivElement | null>
  virtual: Virtualizer<HTMLDivElement, Element>
  entries: readonly PickerEntry[]
  value: Selection | null
  favourites: readonly string[]
  active: { row: number; part: PickerColumn }
  onPick: (selection: Selection) => void
  onStar: (selection: Selection) => void
  onHover: (row: number) => void
  onClose: () => void
}) {
  const t = useText('blocks')
  return (
    <div
      ref={box}
      id={`${id}-rows`}
      role="grid"
      aria-label={t('models.title')}
      aria-rowcount={entries.length}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5"
    >
      <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const entry = entries[item.index]
          if (!entry) return null
          const selection = selectionAt(entry)
          const common = {
            place: { index: item.index, count: entries.length, top: item.start, height: rowHeight },
            ids: { model: cellId(id, item.index, 'model'), star: cellId(id, item.index, 'star') },
            starred: favourites.includes(modelKey(selection)),
            active: item.index === active.row ? active.part : null,
            onStar: () => onStar(selection),
            onHover: () => onHover(item.index),
          }
          return 'model' in entry ? (
            <ModelRow
              key={item.key}
              {...common}
              model={entry.model}
              chosen={sameSelection(selection, value)}
              onPick={() => onPick(selection)}
            />
          ) : (
            <MissingRow key={item.key} {...common} missing={entry.missing} onClose={onClose} />
          )
        })}
      </div>
    </div>
  )
}

export const cellId = (id: string, index: number, part: PickerColumn) => `${id}-${index}-${part}`
