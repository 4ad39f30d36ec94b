import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { classNames } from '../../lib/class-names.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/setting-row'

/** How a save stands: shown beside the row it belongs to. */
export interface SaveState {
  state: 'idle' | 'saving' | 'saved' | 'failed'
  error: unknown
}

/** Runs saves and tells how they stand. `save` never throws; the screen is set back by whoever made it change. */
export function useSave(): { saving: SaveState; save: (work: () => Promise<unknown>) => Promise<boolean> } {
  const [saving, setSaving] = useState<SaveState>({ state: 'idle', error: null })
  const run = useRef(0)
  useEffect(() => {
    if (saving.state !== 'saved') return
    const timer = setTimeout(() => setSaving({ state: 'idle', error: null }), 1800)
    return () => clearTimeout(timer)
  }, [saving])
  async function save(work: () => Promise<unknown>): Promise<boolean> {
    const mine = ++run.current
    setSaving({ state: 'saving', error: null })
    try {
      await work()
      if (mine === run.current) setSaving({ state: 'saved', error: null })
      return true
    } catch (error) {
      if (mine === run.current) setSaving({ state: 'failed', error })
      return false
    }
  }
  return { saving, save }
}

/** One setting: its name, one line about it, its control, and how saving went. */
export function Row({
  id,
  label,
  help,
  source,
  saving,
  stacked,
  children,
}: {
  /** The entry of the registry; the address `#id` leads here. */
  id: string
  label: string
  help?: ReactNode
  /** Who has set it, where that was not this person. */
  source?: ReactNode
  saving?: SaveState
  /** Control below the words instead of beside them. */
  stacked?: boolean
  /** Gets what names and describes the control. */
  children: (names: { 'aria-label': string; 'aria-describedby'?: string }) => ReactNode
}) {
  const t = useText('setting-row')
  const base = useId()
  return (
    <div id={id} className="-mx-3 rounded-lg px-3">
      <div
        className={classNames(
          'flex gap-x-6 gap-y-2.5 border-b border-line py-3.5',
          stacked ? 'flex-col' : 'flex-wrap items-center justify-between',
        )}
      >
        <div className={classNames('min-w-0', !stacked && 'min-w-44 flex-1')}>
          <div className="flex items-center gap-2">
            <span className="font-medium">{label}</span>
            <span aria-live="polite" className="inline-flex items-center text-xs">
              {saving?.state === 'saving' && <Spinner size={12} label={t('saving')} />}
              {saving?.state === 'saved' && (
                <span className="anim-appear inline-flex items-center gap-1 text-ok-ink">
                  <Check aria-hidden className="size-3.5" /> {t('saved')}
                </span>
              )}
            </span>
          </div>
          {help && (
            <p id={`${base}-help`} className="mt-0.5 text-sm text-muted">
              {help}
            </p>
          )}
          {source && <div className="mt-1.5">{source}</div>}
          {saving?.state === 'failed' && (
            <p role="alert" className="mt-1 text-sm text-danger-ink">
              {t('notSaved')} {wordsOf(saving.error)}
            </p>
          )}
        </div>
        <div className={classNames(stacked ? 'w-full' : 'flex max-w-full shrink-0')}>
          {children({ 'aria-label': label, 'aria-describedby': help ? `${base}-help` : undefined })}
        </div>
      </div>
    </div>
  )
}

/** A heading over some rows. */
export function Group({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-8 first:mt-0">
      <h3 className="text-md font-semibold">{title}</h3>
      {text && <p className="mt-0.5 text-sm text-muted">{text}</p>}
      <div className="mt-1">{children}</div>
    </section>
  )
}
