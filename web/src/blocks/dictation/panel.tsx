import { Check, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { usePreferences } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { isComposing } from '../../lib/composing.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/dictation'
import { microphoneFault } from '../microphone/open.ts'
import { type Dictation, startDictation } from './dictate.ts'

/** Longer than anybody dictates, and an end for a microphone that was forgotten. */
const longestMs = 5 * 60_000

/**
 * The microphone while it is on: how loud it is, for how long, and the ways to end it. Enter takes the words, Esc throws
 * them away. `isHeld`: it ends when the button is let go.
 */
export function DictationPanel({
  isHeld = false,
  onText,
  onDone,
}: {
  isHeld?: boolean
  onText: (text: string) => void
  onDone: () => void
}) {
  const t = useText('dictation')
  const { dictation: wishes } = usePreferences()
  const [state, setState] = useState<'starting' | 'listening' | 'ending'>('starting')
  const [level, setLevel] = useState<number | null>(null)
  const [seconds, setSeconds] = useState(0)
  const dictation = useRef<Dictation | null>(null)
  const isOver = useRef(false)
  const isEnding = useRef(false)
  /** Somebody was told that words are missing. */
  const isTold = useRef(false)
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef({ onText, onDone })
  latest.current = { onText, onDone }

  /** Whether it was on until now. */
  const leave = () => {
    if (isOver.current) return false
    isOver.current = true
    dictation.current?.discard()
    latest.current.onDone()
    return true
  }
  const failed = (words: string) => {
    if (leave()) toast(words, { tone: 'danger' })
  }
  const finish = () => {
    if (!dictation.current || isEnding.current) return
    isEnding.current = true
    setState('ending')
    void dictation.current.stop().then(() => isOver.current || latest.current.onDone())
  }
  /** What was said until then stays. */
  const stopFor = (words: string) => {
    if (isOver.current) return
    if (!dictation.current) return failed(words)
    if (!isTold.current) toast(words, { tone: 'danger' })
    isTold.current = true
    finish()
  }

  useEffect(() => {
    let isGone = false
    isOver.current = false
    isEnding.current = false
    isTold.current = false
    const wordsOfFault = (error: unknown) => {
      const fault = microphoneFault(error)
      return fault ? t(fault) : wordsOf(error)
    }
    const begin = async () => {
      if (!('mediaDevices' in navigator)) return failed(t('insecure'))
      const begun = await startDictation(wishes, {
        onText: (text) => isOver.current || latest.current.onText(text),
        onLevel: (now) => setLevel(Math.min(1, now * 6)),
        onFailure: (error) => stopFor(wordsOfFault(error)),
        onLost: () => stopFor(t('lost')),
      })
      if (!begun) return failed(t('noModel'))
      if (isGone || isOver.current) return begun.discard()
      dictation.current = begun
      setState('listening')
    }
    begin().catch((error: unknown) => failed(wordsOfFault(error)))
    return () => {
      isGone = true
      isOver.current = true
      dictation.current?.discard()
    }
    // Begins once: words in another language are no reason to begin anew.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const release = () => {
    if (state === 'starting' && leave()) toast(t('holdOn'))
    else finish()
  }
  useEffect(() => {
    if (state !== 'listening') return
    const begun = Date.now()
    const timer = setInterval(() => {
      const passed = Date.now() - begun
      setSeconds(Math.floor(passed / 1000))
      if (passed < longestMs) return
      toast(t('longest'))
      finish()
    }, 1000)
    return () => clearInterval(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [state])
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isEnter = event.key === 'Enter' && !event.shiftKey && !isComposing(event) && isOf(box.current, event.target)
      if (event.key !== 'Escape' && !isEnter) return
      event.preventDefault()
      event.stopPropagation()
      // What is said last would come after the message was sent.
      if (isEnter) finish()
      else leave()
    }
    addEventListener('keydown', onKeyDown, { capture: true })
    if (isHeld) for (const name of releases) addEventListener(name, release)
    return () => {
      removeEventListener('keydown', onKeyDown, { capture: true })
      for (const name of releases) removeEventListener(name, release)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [state])

  return (
    <div
      ref={box}
      role="group"
      aria-label={t('panel')}
      className="flex items-center gap-1 rounded-lg bg-danger-soft ps-2"
    >
      <span role="status" className="sr-only">
        {t(`state.${state}`)}
      </span>
      {state === 'listening' && level !== null ? (
        <span aria-hidden className="flex h-5 items-center gap-0.5">
          {[0.5, 1, 0.7, 0.9].map((share, at) => (
            <span
              key={at}
              className="w-1 rounded-full bg-danger-ink transition-[height] duration-75"
              style={{ height: `${20 + 80 * level * share}%` }}
            />
          ))}
        </span>
      ) : (
        <Spinner size={14} label={t(`state.${state}`)} />
      )}
      <span role="timer" aria-label={t('elapsed')} className="min-w-9 text-center text-xs text-danger-ink tabular-nums">
        {`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`}
      </span>
      <IconButton label={t('discard')} keys="Escape" icon={<X />} tooltipSide="top" onClick={leave} />
      {!isHeld && (
        <IconButton
          label={t('finish')}
          keys="Enter"
          icon={<Check />}
          tooltipSide="top"
          aria-disabled={state !== 'listening' || undefined}
          onClick={finish}
        />
      )}
    </div>
  )
}

/** Whether a key is meant for the text that is dictated: it was pressed there, or nowhere. */
function isOf(panel: HTMLElement | null, target: EventTarget | null): boolean {
  if (target === document.body) return true
  let around = panel?.parentElement
  while (around && !around.querySelector('textarea')) around = around.parentElement
  return target instanceof HTMLTextAreaElement && around?.contains(target) === true
}

const releases = ['pointerup', 'pointercancel'] as const
