import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { announce } from '../../lib/announce.ts'
import { matchesKeys, takesText } from '../../lib/shortcuts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { stopReading } from '../read-aloud/start.ts'
import { reading } from '../read-aloud/state.ts'
import { Captions } from './captions.tsx'
import { Controls } from './controls.tsx'
import { createSession, type Session } from './session.ts'
import { Stage } from './stage.tsx'
import { talks, endTalk, type StartedTalk } from './state.ts'
import { translate } from 'virtual:words/read-aloud'
import { useText } from 'virtual:words/voice-mode'

/** The talk that goes on, over the whole window. */
export function TalkWindow() {
  const started = useStore(talks, ({ now }) => now)
  return started && <StartedTalkWindow started={started} />
}

function StartedTalkWindow({ started }: { started: StartedTalk }) {
  const t = useText('voice-mode')
  const ring = useRef<HTMLSpanElement>(null)
  const [session, setSession] = useState<Session | null>(null)
  useEffect(() => {
    if (reading.getState().now) stopReading()
    const opened = createSession({
      ...started,
      skipWords: { code: translate('read-aloud:code'), table: translate('read-aloud:table') },
      // Speech is quiet as numbers go.
      onLevel: (level) => ring.current?.style.setProperty('--level', String(Math.min(1, level * 6))),
    })
    setSession(opened)
    opened.open()
    // The way back leaves the talk, as it leaves any window.
    addEventListener('popstate', endTalk)
    return () => {
      removeEventListener('popstate', endTalk)
      opened.close()
      endTalk()
    }
  }, [started])
  const close = () => {
    announce(t('closed'))
    endTalk()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || close()}
      title={t('title')}
      width="full"
      className="inset-0! max-h-none! rounded-none! border-0! bg-canvas!"
    >
      {session && <Conversation session={session} ring={ring} />}
    </Dialog>
  )
}

function Conversation({ session, ring }: { session: Session; ring: RefObject<HTMLSpanElement | null> }) {
  const state = useStore(session.store)
  const [isTranscript, setIsTranscript] = useState(false)
  const { isMuted, isPushToTalk, stage } = state.talk
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOnControl = takesText(event.target) || (event.target as HTMLElement).closest('button') !== null
      const isDown = event.type === 'keydown'
      if (isDown && matchesKeys(event, 'M') && !takesText(event.target) && stage === 'open') session.mute(!isMuted)
      if (event.code !== 'Space' || isOnControl || !isPushToTalk) return
      event.preventDefault()
      if (!event.repeat) session.hold(isDown)
    }
    addEventListener('keydown', onKey)
    addEventListener('keyup', onKey)
    // A key that is let go elsewhere tells nothing.
    const release = () => session.hold(false)
    addEventListener('blur', release)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('keyup', onKey)
      removeEventListener('blur', release)
    }
  }, [session, isMuted, isPushToTalk, stage])
  return (
    <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col items-center gap-6 py-4 text-center">
      <Stage state={state} ring={ring} onRetry={session.open} />
      <Captions state={state} isTranscript={isTranscript} />
      {stage === 'open' && (
        <Controls
          state={state}
          session={session}
          isTranscript={isTranscript}
          onTranscript={() => setIsTranscript(!isTranscript)}
        />
      )}
    </div>
  )
}
