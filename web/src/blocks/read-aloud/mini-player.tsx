import { Pause, Play, SkipBack, SkipForward, X } from 'lucide-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/select.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useText } from 'virtual:words/read-aloud'
import { speeds } from './speeds.ts'
import { withPlayer } from './start.ts'
import { useReading } from './state.ts'

/** What is being read, and the ways to hold it; nothing while nothing is. */
export function MiniPlayer() {
  const t = useText('read-aloud')
  const now = useReading()
  if (!now) return null
  const { state, text, speed } = now
  return (
    <section
      aria-label={t('player')}
      className="anim-rise flex shrink-0 items-center gap-1.5 border-t border-line bg-surface px-3 py-1.5"
    >
      <IconButton
        label={t('back')}
        icon={<SkipBack />}
        tooltipSide="top"
        onClick={() => withPlayer((p) => p.goBy(-1))}
      />
      {state === 'loading' ? (
        <span className="grid size-control place-items-center">
          <Spinner size={16} label={t('preparing')} />
        </span>
      ) : (
        <IconButton
          label={state === 'playing' ? t('pause') : t('resume')}
          icon={state === 'playing' ? <Pause /> : <Play />}
          tooltipSide="top"
          onClick={() => withPlayer((p) => p.pauseOrGoOn())}
        />
      )}
      <IconButton
        label={t('next')}
        icon={<SkipForward />}
        tooltipSide="top"
        onClick={() => withPlayer((p) => p.goBy(1))}
      />
      <p dir="auto" className="min-w-0 flex-1 truncate text-sm text-muted">
        {text}
      </p>
      <Select
        aria-label={t('speed')}
        className="w-22 shrink-0"
        value={String(speed)}
        options={speeds.map((value) => ({ value: String(value), label: t('times', { speed: formatNumber(value) }) }))}
        onChange={(value) => withPlayer((p) => p.setSpeed(Number(value)))}
      />
      <IconButton label={t('stop')} icon={<X />} tooltipSide="top" onClick={() => withPlayer((p) => p.stopReading())} />
    </section>
  )
}
