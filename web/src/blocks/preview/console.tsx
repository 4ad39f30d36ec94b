import { ChevronDown, ChevronUp, WandSparkles } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../../ui/button.tsx'
import { useText } from 'virtual:words/preview'
import type { ConsoleLevel } from './messages.ts'

export interface ConsoleLine {
  readonly level: ConsoleLevel
  readonly text: string
}

/** What a preview writes to its console; folded until somebody wants to see it. */
export function PreviewConsole({
  lines,
  onFix,
  start,
}: {
  lines: readonly ConsoleLine[]
  onFix?: ((problem: string) => void) | undefined
  /** Stands in the same row, before it. */
  start: ReactNode
}) {
  const t = useText('preview')
  const [open, setOpen] = useState(false)
  const errors = lines.filter(({ level }) => level === 'error')
  const fold = open ? <ChevronDown className="size-3.5" /> : <ChevronUp className="size-3.5" />
  return (
    <section aria-label={t('console')} className="flex max-h-[45%] shrink-0 flex-col border-t border-line bg-raised">
      <div className="flex shrink-0 flex-wrap items-center gap-1 px-2 py-1">
        {start}
        <Button size="small" tone="quiet" icon={fold} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('consoleCount', { count: lines.length })}
        </Button>
        <span role="status" className="min-w-0 flex-1 truncate text-sm text-danger-ink">
          {errors.length > 0 && t('errors', { count: errors.length })}
        </span>
        {onFix && errors.length > 0 && (
          <Button
            size="small"
            icon={<WandSparkles className="size-3.5" />}
            onClick={() =>
              onFix(
                errors
                  .slice(-5)
                  .map(({ text }) => text)
                  .join('\n'),
              )
            }
          >
            {t('fix')}
          </Button>
        )}
      </div>
      {open && (
        <ol
          dir="ltr"
          tabIndex={0}
          aria-label={t('console')}
          className="min-h-0 overflow-auto border-t border-line px-3 py-1.5 font-mono text-xs"
        >
          {lines.length === 0 && <li className="text-muted">{t('consoleEmpty')}</li>}
          {lines.map(({ level, text }, at) => (
            <li
              key={at}
              className={classNames(
                'whitespace-pre-wrap break-words',
                level === 'error' ? 'text-danger-ink' : level === 'warn' ? 'text-warn-ink' : 'text-ink',
              )}
            >
              {level === 'log' ? text : `${level}: ${text}`}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
