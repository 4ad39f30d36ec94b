import type { ArtifactKind } from '@atrium/contract/artifacts'
import { useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useNewestFirst } from '../artifact/use-newest-first.ts'
import { useText } from 'virtual:words/preview'
import { PreviewFrame } from './frame.tsx'
import { buildPage } from './page.ts'
import { loadCompiler, readLibrary } from './read-library.ts'

interface Picture {
  readonly turn: number
  readonly page: string
}

/**
 * A page while it is being written: each text is put together and run behind what is shown, and takes its place when it
 * stands. One that cannot be put together, or breaks at its beginning, is left out; what was good stays.
 */
export function DraftPreview({ kind, title, content }: { kind: ArtifactKind; title: string; content: string }) {
  const t = useText('preview')
  const [good, setGood] = useState<Picture | null>(null)
  const [next, setNext] = useState<Picture | null>(null)
  const turns = useRef(0)
  /** The first word on a picture holds: what is drawn may be older than two messages that come at once. */
  const decided = useRef(0)
  const settle = useRef<(() => void) | null>(null)
  useNewestFirst(content, async (text, signal) => {
    if (text.trim() === '') return
    // What is half written often cannot be compiled: the next text may be.
    const page = await buildPage(kind, text, { readLibrary, compile: loadCompiler }).catch(() => null)
    if (page === null || signal.aborted) return
    turns.current += 1
    setNext({ turn: turns.current, page })
    await new Promise<void>((resolve) => {
      settle.current = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  })
  const decide = (picture: Picture, isGood: boolean) => {
    if (decided.current >= picture.turn) return
    decided.current = picture.turn
    if (isGood) setGood(picture)
    setNext(null)
    settle.current?.()
  }
  const pictures = [good, next].filter((picture) => picture !== null)
  if (pictures.length === 0) return <Skeleton lines={8} className="p-4" />
  return (
    <div className="relative min-h-0 flex-1 bg-surface">
      {pictures.map((picture) => (
        <div
          key={picture.turn}
          aria-hidden={picture !== good || undefined}
          className={classNames('absolute inset-0', picture !== good && 'invisible')}
        >
          <PreviewFrame
            page={picture.page}
            title={t('frame', { title })}
            onMessage={(message) => {
              if (message.type === 'console' && message.uncaught) decide(picture, false)
            }}
            onLoaded={() => decide(picture, true)}
            onEnd={() => {
              decide(picture, false)
              setGood((shown) => (shown === picture ? null : shown))
            }}
          />
        </div>
      ))}
    </div>
  )
}
