import { X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { useUiWords } from './words.tsx'

export interface ToastOptions {
  tone?: 'plain' | 'danger'
  /** One thing to do about it; the toast closes when it is done. */
  action?: { label: string; onClick: () => void }
  /** How long it stays; 5 s, or 10 s where there is an action. */
  ms?: number
}
interface Toast extends ToastOptions {
  id: number
  text: string
}

let toasts: readonly Toast[] = []
let lastId = 0
const watchers = new Set<() => void>()

/** Says something in passing at the bottom of the page. Never the only place for an error. Gives a function that removes it. */
export function toast(text: string, options: ToastOptions = {}): () => void {
  const id = ++lastId
  set([...toasts.filter((other) => other.text !== text), { ...options, id, text }].slice(-3))
  return () => dismiss(id)
}

/** Where toasts appear; once, at the end of the app. */
export function Toaster() {
  const words = useUiWords()
  const shown = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => toasts,
  )
  const [paused, setPaused] = useState(false)
  return (
    <section
      aria-label={words.notifications}
      aria-live="polite"
      data-toasts
      aria-relevant="additions"
      className="pointer-events-none fixed inset-x-3 bottom-(--toasts-bottom) z-60 flex flex-col items-center gap-2"
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      {shown.map((item) => (
        <ToastRow key={item.id} item={item} paused={paused} closeLabel={words.close} />
      ))}
    </section>
  )
}

function ToastRow({ item, paused, closeLabel }: { item: Toast; paused: boolean; closeLabel: string }) {
  const ms = item.ms ?? (item.action ? 10_000 : 5000)
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => dismiss(item.id), ms)
    return () => clearTimeout(timer)
  }, [paused, ms, item.id])
  return (
    <div
      className={classNames(
        'anim-rise pointer-events-auto flex w-fit max-w-lg items-center gap-3 rounded-lg border bg-raised py-1.5 ps-3.5 pe-1.5 shadow-mid',
        item.tone === 'danger' ? 'border-danger-ink/60' : 'border-line',
      )}
    >
      <p className={classNames('min-w-0 flex-1', item.tone === 'danger' && 'text-danger-ink')}>{item.text}</p>
      {item.action && (
        <Button
          size="small"
          onClick={() => {
            item.action?.onClick()
            dismiss(item.id)
          }}
        >
          {item.action.label}
        </Button>
      )}
      <IconButton label={closeLabel} icon={<X />} size="small" tooltipSide="none" onClick={() => dismiss(item.id)} />
    </div>
  )
}

function dismiss(id: number) {
  set(toasts.filter((other) => other.id !== id))
}
function set(next: readonly Toast[]) {
  toasts = next
  for (const watcher of watchers) watcher()
}
