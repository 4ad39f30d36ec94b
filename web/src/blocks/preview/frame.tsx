import { artifactsRoutes } from '@atrium/contract/artifacts'
import { useEffect, useRef, useState } from 'react'
import { prefix, type PreviewMessage, readMessage } from './messages.ts'
import { type PreviewWatch, watchPreview } from './watch.ts'

/** Why a preview was taken away. */
export type PreviewEnd = 'silent' | 'flood' | 'left' | 'absent'

/** The page of the frame says that it is there while it loads; its message may come a little later. */
const absentMs = 3000

/**
 * Shows a page apart from everything: in a frame without an origin, that reaches no network. A new `page` begins anew.
 * `onEnd`: it does not answer, says too much, left its frame, or could not be loaded; whoever shows it takes it away.
 */
export function PreviewFrame({
  page,
  title,
  onMessage,
  onLoaded,
  onOther,
  onEnd,
}: {
  page: string
  title: string
  onMessage: (message: PreviewMessage) => void
  /** Called, perhaps again and again, when what runs while the page loads has run. */
  onLoaded?: () => void
  /** Hears what is none of these, as the page said it; `reply` answers the page. */
  onOther?: ((data: unknown, reply: (message: object) => void) => void) | undefined
  onEnd: (why: PreviewEnd) => void
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  /** How often something was loaded since the page was given: the page itself is, once. */
  const loads = useRef<{ count: number; watch: PreviewWatch | null; absent?: number }>({ count: 0, watch: null })
  const told = useRef({ onMessage, onLoaded, onOther, onEnd })
  useEffect(() => {
    told.current = { onMessage, onLoaded, onOther, onEnd }
  })
  // The page of the frame is fetched for each page that it shows: nothing of one is left for the next.
  const [shown, setShown] = useState({ page, turn: 0 })
  if (shown.page !== page) setShown({ page, turn: shown.turn + 1 })
  useEffect(() => {
    let watch: PreviewWatch | null = null
    const take = ({ source, data }: MessageEvent) => {
      const window = frame.current?.contentWindow
      if (!window || source !== window) return
      const message = readMessage(data)
      if (watch && !watch.heard(message?.type === 'pong' ? message : null)) {
        watch.stop()
        return told.current.onEnd('flood')
      }
      if (!message) return watch ? told.current.onOther?.(data, (reply) => window.postMessage(reply, '*')) : undefined
      if (message.type === 'pong') return message.loaded ? told.current.onLoaded?.() : undefined
      if (message.type !== 'ready') return told.current.onMessage(message)
      if (watch) {
        // It was loaded again by itself.
        watch.stop()
        return told.current.onEnd('left')
      }
      window.postMessage({ type: `${prefix}render`, html: shown.page }, '*')
      watch = watchPreview(window, shown.page.length, () => told.current.onEnd('silent'))
      clearTimeout(loads.current.absent)
      loads.current = { count: 0, watch }
    }
    addEventListener('message', take)
    return () => {
      removeEventListener('message', take)
      watch?.stop()
      clearTimeout(loads.current.absent)
      loads.current.watch = null
    }
  }, [shown])
  return (
    <iframe
      key={shown.turn}
      ref={frame}
      title={title}
      onLoad={() => {
        loads.current.count += 1
        const { count, watch } = loads.current
        if (count > 2) watch?.doubt()
        // What came is no page of ours: there is no way to the server, or it refused.
        if (watch === null && count === 1)
          loads.current.absent = window.setTimeout(() => told.current.onEnd('absent'), absentMs)
      }}
      src={artifactsRoutes.sandbox.path}
      sandbox="allow-scripts allow-forms allow-pointer-lock"
      allow=""
      referrerPolicy="no-referrer"
      // As browsers show pages that say nothing of it.
      style={{ backgroundColor: 'white', colorScheme: 'light' }}
      className="size-full border-0"
    />
  )
}
