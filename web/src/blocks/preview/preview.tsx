import type { ArtifactKind } from '@atrium/contract/artifacts'
import { useQuery } from '@tanstack/react-query'
import { MonitorX, Play, RotateCw, Square } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/preview'
import { type ConsoleLine, PreviewConsole } from './console.tsx'
import { type PreviewEnd, PreviewFrame } from './frame.tsx'
import type { PreviewMessage, PreviewRequest } from './messages.ts'
import { buildPage } from './page.ts'
import { loadCompiler, readLibrary } from './read-library.ts'
import { RequestBar } from './request-bar.tsx'

const mostLines = 300

export interface PreviewProps {
  kind: ArtifactKind
  title: string
  content: string
  /** The page asks for the whole screen, and the person wants it. */
  onFullScreen: () => void
  /** What the page says in words of its own: gives what it asks its person for, if anything. */
  onOther?: ((data: unknown, reply: (message: object) => void) => PreviewRequest | null) | undefined
  /** Sends what went wrong to a model; absent where none can be asked. */
  onFix?: ((problem: string) => void) | undefined
}

/** An artifact as it runs, with what it writes to its console below it. */
export function Preview({ kind, title, content, onFullScreen, onOther, onFix }: PreviewProps) {
  const t = useText('preview')
  const built = useQuery({
    queryKey: ['preview', kind, content],
    queryFn: () => buildPage(kind, content, { readLibrary, compile: loadCompiler }),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [run, setRun] = useState(0)
  const [ended, setEnded] = useState<PreviewEnd | 'stopped' | null>(null)
  const [request, setRequest] = useState<PreviewRequest | null>(null)
  const [lines, setLines] = useState<readonly ConsoleLine[]>([])
  // The last page that could be put together stays until the next one can.
  const [page, setPage] = useState(built.data)
  if (built.data !== undefined && page !== built.data) {
    setPage(built.data)
    setEnded(null)
    setRequest(null)
    setLines([])
  }
  const take = (message: PreviewMessage) => {
    if (message.type === 'console') add({ level: message.level, text: message.text })
    else if (message.type === 'blocked') add({ level: 'warn', text: t('blocked', { address: message.address }) })
    // One after the other: whoever asks again and again is not heard.
    else if (message.type !== 'ready' && message.type !== 'pong') setRequest((before) => before ?? message)
  }
  const add = (line: ConsoleLine) => setLines((before) => [...before, line].slice(-mostLines))
  const restart = () => {
    setEnded(null)
    setRequest(null)
    setLines([])
    setRun(run + 1)
  }
  const failure = built.error && (
    <NotBuilt problem={built.error.message} onFix={onFix} onRetry={() => void built.refetch()} />
  )
  if (page === undefined) return failure ?? <Skeleton lines={8} className="p-4" />
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {failure}
      {request && <RequestBar request={request} onFullScreen={onFullScreen} onDone={() => setRequest(null)} />}
      <div className="min-h-0 flex-1">
        {ended ? (
          <EmptyState
            icon={<MonitorX />}
            title={t(`ended.${ended}`)}
            action={
              <Button tone="primary" icon={<Play className="size-4" />} onClick={restart}>
                {t('startAgain')}
              </Button>
            }
          >
            {t(`endedText.${ended}`)}
          </EmptyState>
        ) : (
          <PreviewFrame
            key={run}
            page={page}
            title={t('frame', { title })}
            onMessage={take}
            onOther={
              onOther &&
              ((data, reply) => {
                const asked = onOther(data, reply)
                if (asked) take(asked)
              })
            }
            onEnd={(why) => {
              setEnded(why)
              setRequest(null)
            }}
          />
        )}
      </div>
      <PreviewConsole
        lines={lines}
        onFix={onFix}
        start={
          <>
            <Button size="small" tone="quiet" icon={<RotateCw className="size-3.5" />} onClick={restart}>
              {t('restart')}
            </Button>
            {!ended && (
              <Button
                size="small"
                tone="quiet"
                icon={<Square className="size-3.5" />}
                onClick={() => {
                  setEnded('stopped')
                  setRequest(null)
                }}
              >
                {t('stop')}
              </Button>
            )}
          </>
        }
      />
    </div>
  )
}

/** Why there is no page of what is written now. */
function NotBuilt({ problem, onFix, onRetry }: { problem: string; onFix: PreviewProps['onFix']; onRetry: () => void }) {
  const t = useText('preview')
  return (
    <div className="flex shrink-0 flex-col gap-3 p-4">
      <ErrorCard title={t('notBuilt')} onRetry={onRetry}>
        <code dir="ltr">{problem}</code>
      </ErrorCard>
      {onFix && (
        <Button className="self-start" onClick={() => onFix(problem)}>
          {t('fix')}
        </Button>
      )}
    </div>
  )
}
