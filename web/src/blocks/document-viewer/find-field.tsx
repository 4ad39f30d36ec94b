import { ChevronDown, ChevronUp, Search } from 'lucide-react'
import { classNames } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { useText } from 'virtual:words/document-viewer'
import type { Finder } from './use-finder.ts'

/** Looks for words in the document, and goes from one place to the next. */
export function FindField({
  finder,
  grows,
  onEnd,
}: {
  finder: Finder
  grows: boolean
  onEnd?: (() => void) | undefined
}) {
  const t = useText('document-viewer')
  const { words, hits, index } = finder
  return (
    <search className={classNames('flex min-w-0 items-center gap-0.5', grows && 'flex-1')}>
      <Input
        type="search"
        icon={<Search />}
        // Opened by its button, it is what one wants to write in.
        autoFocus={grows}
        aria-label={t('find.label')}
        placeholder={t('find.label')}
        value={words}
        onChange={(event) => finder.setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finder.step(event.shiftKey ? -1 : 1)
          if (event.key !== 'Escape' || (!words && !onEnd)) return
          event.preventDefault()
          event.stopPropagation()
          if (words) finder.setWords('')
          else onEnd?.()
        }}
        className={grows ? 'w-full min-w-24' : 'w-44'}
      />
      {words.trim().length > 1 && (
        <>
          <output className="px-1 text-sm whitespace-nowrap text-muted tabular-nums">
            {hits.length
              ? t('find.at', { at: formatNumber(index + 1), all: formatNumber(hits.length) })
              : t('find.nothing')}
          </output>
          <IconButton
            label={t('find.previous')}
            icon={<ChevronUp />}
            size="small"
            disabled={hits.length === 0}
            onClick={() => finder.step(-1)}
          />
          <IconButton
            label={t('find.next')}
            icon={<ChevronDown />}
            size="small"
            disabled={hits.length === 0}
            onClick={() => finder.step(1)}
          />
        </>
      )}
    </search>
  )
}
