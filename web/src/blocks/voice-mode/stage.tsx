import { AudioLines, Ear, LoaderCircle, MicOff, TriangleAlert } from 'lucide-react'
import type { RefObject } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../../ui/button.tsx'
import { endTalk } from './state.ts'
import type { SessionState } from './session.ts'
import { type Phase, phaseOf } from './steps.ts'
import { useText } from 'virtual:words/voice-mode'

const icons = {
  opening: <LoaderCircle className="anim-turn" />,
  failed: <TriangleAlert />,
  listening: <Ear />,
  transcribing: <LoaderCircle className="anim-turn" />,
  thinking: <LoaderCircle className="anim-turn" />,
  speaking: <AudioLines />,
} as const satisfies Record<Phase, unknown>

/** What the talk does just now: seen, read aloud, and how loud the microphone is. */
export function Stage({
  state: { talk, isSilent, isAsking },
  ring,
  onRetry,
}: {
  state: SessionState
  ring: RefObject<HTMLSpanElement | null>
  onRetry: () => void
}) {
  const t = useText('voice-mode')
  const phase = phaseOf(talk)
  const isDeaf = phase === 'listening' && talk.isMuted
  const isReady = phase === 'listening' && talk.isPushToTalk && !talk.isHearing
  const words = isDeaf ? 'muted' : isReady ? 'ready' : phase
  const isCold = isDeaf || isReady || phase === 'failed' || phase === 'opening'
  return (
    <>
      <span className="relative mt-4 grid size-40 shrink-0 place-items-center tab:size-52">
        <span
          ref={ring}
          aria-hidden
          className={classNames(
            'absolute inset-6 rounded-full border-2 transition-transform duration-75',
            'scale-[calc(1+var(--level,0)*0.3)]',
            isCold ? 'border-line-strong/60' : 'border-accent-line bg-accent-soft',
          )}
        />
        <span aria-hidden className="relative text-accent-ink [&_svg]:size-9">
          {isDeaf ? <MicOff /> : icons[phase]}
        </span>
      </span>
      <div className="flex max-w-md flex-col gap-2">
        <p role="status" className="text-xl font-semibold tracking-tight">
          {t(`phase.${words}`)}
        </p>
        {talk.failure === null ? (
          <p className="text-sm text-muted">
            {talk.isMuted
              ? t('mutedHint')
              : isSilent
                ? t('silent')
                : talk.isPushToTalk
                  ? t('holdHint')
                  : t(`duplex.${talk.duplex}`)}
          </p>
        ) : (
          <>
            <p role="alert">{talk.failure === 'other' ? talk.trouble : t(`failure.${talk.failure}`)}</p>
            <span className="flex justify-center gap-2">
              <Button onClick={endTalk}>{t('leave')}</Button>
              {talk.failure !== 'insecure' && (
                <Button tone="primary" onClick={onRetry}>
                  {t('retry')}
                </Button>
              )}
            </span>
          </>
        )}
        {talk.isWaiting && (
          <p role="alert" className="text-sm text-warn-ink">
            {t('waiting')}
          </p>
        )}
        {isAsking && (
          <p role="alert" className="text-sm text-warn-ink">
            {t('asking')}
          </p>
        )}
        {talk.trouble !== null && talk.failure === null && (
          <p role="alert" className="text-sm text-danger-ink">
            {t('trouble')} <bdi>{talk.trouble}</bdi>
          </p>
        )}
      </div>
    </>
  )
}
