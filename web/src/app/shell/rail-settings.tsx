import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { useState } from 'react'
import { savePreferences } from '../../api/account.ts'
import { Row, useSave } from '../../blocks/setting-row/row.tsx'
import { announce } from '../../lib/announce.ts'
import { classNames } from '../../lib/class-names.ts'
import { useText } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Switch } from '../../ui/switch.tsx'
import { moveEntry, showEntry, sortEntries } from './rail-entries.ts'
import { useRailChoice, useRailEntries } from './use-rail.ts'

/** The order of the rail, and what of it is shown: by buttons, by keyboard, and by dragging a row. */
export function RailSettings() {
  const t = useText('app')
  const all = useRailEntries()
  const choice = useRailChoice()
  const { saving, save } = useSave()
  const [dragged, setDragged] = useState<string | null>(null)
  const entries = sortEntries(all, choice)
  const store = (rail: typeof choice) => void save(() => savePreferences({ rail }))
  const move = (to: string, place: number) => {
    store(moveEntry(all, choice, to, place))
    const name = t(all.find((entry) => entry.to === to)?.name ?? '')
    announce(t('rail.moved', { name, place: place + 1, count: entries.length }))
  }
  const isChanged = choice.order.length + choice.hidden.length > 0
  return (
    <Row id="rail" label={t('rail.label')} help={t('rail.help')} saving={saving} stacked>
      {(names) => (
        <>
          <ul {...names} className="max-w-lg divide-y divide-line rounded-xl border border-line bg-raised">
            {entries.map(({ to, name, icon: Icon }, at) => {
              const isShown = !choice.hidden.includes(to)
              const words = t(name)
              return (
                <li
                  key={to}
                  draggable
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move'
                    event.dataTransfer.setData('text/plain', words)
                    setDragged(to)
                  }}
                  onDragEnd={() => setDragged(null)}
                  onDragOver={(event) => {
                    if (dragged) event.preventDefault()
                  }}
                  onDrop={(event) => {
                    event.preventDefault()
                    if (dragged && dragged !== to) move(dragged, at)
                    setDragged(null)
                  }}
                  className={classNames('flex items-center gap-2 px-3 py-2', dragged === to && 'opacity-50')}
                >
                  <GripVertical aria-hidden className="size-4 shrink-0 cursor-grab text-faint" />
                  <Icon aria-hidden className="size-4.5 shrink-0 text-muted" />
                  <span className={classNames('min-w-0 flex-1 truncate', !isShown && 'text-muted')}>{words}</span>
                  <IconButton
                    label={t('rail.up', { name: words })}
                    icon={<ArrowUp />}
                    size="small"
                    disabled={at === 0}
                    onClick={() => move(to, at - 1)}
                  />
                  <IconButton
                    label={t('rail.down', { name: words })}
                    icon={<ArrowDown />}
                    size="small"
                    disabled={at === entries.length - 1}
                    onClick={() => move(to, at + 1)}
                  />
                  <Switch
                    aria-label={t('rail.show', { name: words })}
                    checked={isShown}
                    onChange={(on) => store(showEntry(choice, to, on))}
                  />
                </li>
              )
            })}
          </ul>
          {isChanged && (
            <Button tone="quiet" size="small" className="mt-2" onClick={() => store({ order: [], hidden: [] })}>
              {t('rail.reset')}
            </Button>
          )}
        </>
      )}
    </Row>
  )
}
