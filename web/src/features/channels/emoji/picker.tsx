import { Search } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { matchesQuery } from '../../../lib/match.ts'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/channels-emoji'
import { emojiGroups, recentEmoji, rememberEmoji } from './emoji.ts'

/** The panel in which an emoji is chosen: found by words, or in its group; arrows move between them. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const t = useText('channels-emoji')
  const [words, setWords] = useState('')
  const grid = useRef<HTMLDivElement>(null)
  const query = words.trim()
  const nameOf = (emoji: string) => t(`name.${emoji}`, { defaultValue: emoji })
  const pick = (emoji: string) => {
    rememberEmoji(emoji)
    onPick(emoji)
  }
  const recent = recentEmoji()
  const groups = [
    ...(recent.length > 0 && !query ? [{ name: t('recent'), emoji: recent }] : []),
    ...emojiGroups.map(({ group, emoji }) => ({ name: t(`group.${group}`), emoji })),
  ]
    .map(({ name, emoji }) => ({ name, emoji: emoji.filter((one) => !query || matchesQuery(query, nameOf(one))) }))
    .filter(({ emoji }) => emoji.length > 0)
  const first = groups[0]?.emoji[0]

  return (
    <div className="mx-auto flex w-72 max-w-full flex-col gap-2 p-2">
      <Input
        type="search"
        icon={<Search />}
        autoFocus
        dir="auto"
        aria-label={t('search')}
        placeholder={t('search')}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            grid.current?.querySelector('button')?.focus()
          } else if (event.key === 'Enter' && query && first) {
            event.preventDefault()
            pick(first)
          }
        }}
      />
      <div ref={grid} onKeyDown={moveByKeys} className="h-60 overflow-y-auto overscroll-contain">
        {groups.length === 0 && (
          <p role="status" className="p-3 text-center text-sm text-muted">
            {t('nothing', { words: query })}
          </p>
        )}
        {groups.map(({ name, emoji }) => (
          <section key={name} aria-label={name}>
            <h3 className="px-1 pt-1.5 pb-1 text-xs font-medium text-muted">{name}</h3>
            <div className="grid grid-cols-8">
              {emoji.map((one) => (
                <button
                  key={one}
                  type="button"
                  aria-label={nameOf(one)}
                  title={nameOf(one)}
                  onClick={() => pick(one)}
                  className="grid aspect-square place-items-center rounded-md text-lg hover:bg-hover focus-visible:bg-hover"
                >
                  {one}
                </button>
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  )
}

const columns = 8

function moveByKeys(event: KeyboardEvent<HTMLElement>) {
  const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const back = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
  const steps: Record<string, number> = { [forward]: 1, [back]: -1, ArrowDown: columns, ArrowUp: -columns }
  const step = steps[event.key]
  if (step === undefined) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = all[Math.max(0, Math.min(all.length - 1, at + step))]
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
}
