import { Check, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/dictation'
import { microphoneFault } from '../microphone/open.ts'
import { type Recording, startRecording } from './record.ts'
import { chooseModel, transcribe } from './transcribe.ts'

/** Longer than anybody dictates, and an end for a microphone that was forgotten. */
const longestMs = 5 * 60_000

/** The microphone while it is on: how loud it is, for how long, and the ways to end it. Esc throws away. */
export function DictationPanel({ onText, onDone }: { onText: (text: string) => void; onDone: () => void }) {
  const t = useText('dictation')
  const [state, setState] = useState<'starting' | 'listening' | 'ending'>('starting')
  const [level, setLevel] = useState(0)
  const recording = useRef<Recording | null>(null)
  const ending = useRef<AbortController>(null)
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  const latest = useRef({ onText, onDone })
  latest.current = { onText, onDone }

  useEffect(() => {
    const left = new AbortController()
    ending.current = left
    const failed = (words: string) => {
      if (left.signal.aborted) return
      left.abort()
      recording.current?.discard()
      toast(words, { tone: 'danger' })
      latest.current.onDone()
    }
    const begin = async () => {
      if (!('mediaDevices' in navigator)) return failed(t('insecure'))
      const model = await chooseModel()
      if (!model) return failed(t('noModel'))
      const begun = await startRecording({
        onLevel: (now) => setLevel(Math.min(1, now * 6)),
        onPhrase(phrase) {
          // One after the other, so that what was said first stands first.
          turn.current = turn.current
            .then(() => transcribe(model, phrase, left.signal))
            .then((text) => {
              if (text && !left.signal.aborted) latest.current.onText(text)
            })
            .catch((error: unknown) => failed(wordsOf(error)))
        },
      })
      if (left.signal.aborted) return begun.discard()
      recording.current = begun
      setState('listening')
    }
    begin().catch((error: unknown) => {
      const fault = microphoneFault(error)
      failed(fault ? t(fault) : wordsOf(error))
    })
    return () => {
      left.abort()
      recording.current?.discard()
    }
    // Begins once: words in another language are no reason to begin anew.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const finish = () => {
    if (state !== 'listening') return
    setState('ending')
    recording.current?.stop()
    void turn.current.then(() => ending.current?.signal.aborted || latest.current.onDone())
  }
  const discard = () => {
    ending.current?.abort()
    recording.current?.discard()
    latest.current.onDone()
  }
  useEffect(() => {
    const timer = setTimeout(finish, longestMs)
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      discard()
    }
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', onKeyDown, { capture: true })
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [state])

  return (
    <div role="group" aria-label={t('panel')} className="flex items-center gap-1 rounded-lg bg-danger-soft ps-2">
      <span role="status" className="sr-only">
        {t(`state.${state}`)}
      </span>
      {state === 'listening' ? (
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
      <IconButton label={t('discard')} keys="Escape" icon={<X />} tooltipSide="top" onClick={discard} />
      <IconButton
        label={t('finish')}
        icon={<Check />}
        tooltipSide="top"
        aria-disabled={state !== 'listening' || undefined}
        onClick={finish}
      />
    </div>
  )
}
