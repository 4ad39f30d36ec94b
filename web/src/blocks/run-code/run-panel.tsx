import { type CodeRun, codeInterpreterRoutes as routes } from '@atrium/contract/code-interpreter'
import { toRequest } from '@atrium/contract/request'
import { RotateCw, Square, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { formatDuration, formatSize } from '../../lib/format.ts'
import { showDirectionSigns } from '../../lib/direction.ts'
import type { Translate } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/run-code'
import { MadeFiles } from './made-files.tsx'
import type { Runnable } from './runnable.ts'

type State =
  | { readonly is: 'running' }
  | { readonly is: 'ended'; readonly run: CodeRun }
  | { readonly is: 'stopped' }
  | { readonly is: 'failed'; readonly words: string }

/** Runs the code at once, and shows what comes of it; leaving the page stops it. */
export function RunPanel({ code, of, onClose }: { code: string; of: Runnable; onClose: () => void }) {
  const t = useText('run-code')
  const [state, setState] = useState<State>({ is: 'running' })
  const [turn, setTurn] = useState(0)
  const running = useRef<AbortController | null>(null)
  const { chatId, language } = of
  useEffect(() => {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    setState({ is: 'running' })
    void call(routes.run, { body: { language, code, chatId } }, { signal })
      .then((run): State => ({ is: 'ended', run }))
      .catch((error: unknown): State => (signal.aborted ? { is: 'stopped' } : { is: 'failed', words: wordsOf(error) }))
      .then((next) => running.current === controller && setState(next))
    return () => {
      running.current = null
      controller.abort()
    }
  }, [chatId, code, language, turn])

  const isRunning = state.is === 'running'
  return (
    <section
      aria-label={t('result')}
      className="border-t border-line bg-raised text-sm"
      dir={document.documentElement.dir}
    >
      <div className="flex min-h-8 items-center gap-2 ps-3 pe-1 text-xs text-muted">
        {isRunning && <Spinner className="size-3.5" />}
        <p role="status" className="min-w-0 flex-1">
          {isRunning
            ? t('running')
            : state.is === 'ended'
              ? endWords(t, state.run)
              : state.is === 'stopped' && t('end.stopped')}
        </p>
        {isRunning ? (
          <Button
            size="small"
            tone="quiet"
            icon={<Square aria-hidden className="size-3" />}
            onClick={() => running.current?.abort()}
          >
            {t('stop')}
          </Button>
        ) : (
          <>
            <IconButton size="small" label={t('again')} icon={<RotateCw />} onClick={() => setTurn(turn + 1)} />
            <IconButton size="small" label={t('close')} icon={<X />} onClick={onClose} />
          </>
        )}
      </div>
      {state.is === 'failed' && (
        <p role="alert" className="px-3 pb-2.5 text-danger-ink">
          {state.words}
        </p>
      )}
      {state.is === 'ended' && <Result run={state.run} />}
    </section>
  )
}

const endWords = (t: Translate, { end, durationMs }: CodeRun): string =>
  end === 'finished' || end === 'failed' ? t(`end.${end}`, { time: formatDuration(durationMs) }) : t(`end.${end}`)

function Result({ run: { stdout, stderr, droppedBytes, files, notes, end } }: { run: CodeRun }) {
  const t = useText('run-code')
  const isEmpty = stdout === '' && stderr === '' && files.length === 0
  return (
    <div className="flex flex-col gap-2 px-3 pb-2.5">
      {stdout !== '' && <Output label={t('output')} text={stdout} />}
      {stderr !== '' && <Output label={t('errors')} text={stderr} isError />}
      {isEmpty && end === 'finished' && <p className="text-muted">{t('nothing')}</p>}
      {droppedBytes > 0 && <p className="text-warn-ink">{t('dropped', { size: formatSize(droppedBytes) })}</p>}
      {notes.map((note) => (
        <p key={note} className="text-warn-ink">
          {t(`note.${note}`)}
        </p>
      ))}
      <MadeFiles
        files={files.map((file) => ({
          ...file,
          path: toRequest(routes.content, { params: { fileId: file.id } }).path,
        }))}
      />
    </div>
  )
}

/** As it was printed, always from left to right. */
function Output({ label, text, isError = false }: { label: string; text: string; isError?: boolean }) {
  return (
    <pre
      dir="ltr"
      tabIndex={0}
      aria-label={label}
      className={`max-h-80 overflow-auto leading-relaxed whitespace-pre-wrap wrap-anywhere ${isError ? 'text-danger-ink' : ''}`}
    >
      {showDirectionSigns(text)}
    </pre>
  )
}
