import { Code2, Download, Workflow } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { saveFile } from '../save-file.ts'
import { useText } from 'virtual:words/markdown'
import { CodeBlock } from './code.tsx'
import { useLazy } from './lazy.ts'

type Engine = typeof import('./diagram-engine.ts')
const load = () => import('./diagram-engine.ts')

type Drawing =
  | { state: 'drawing' }
  | { state: 'drawn'; url: string; svg: string; width: number; height: number; lost: boolean }
  | { state: 'failed'; reason: string }

/** A Mermaid diagram, drawn once it is complete and shown as an image, in which nothing can run or load. */
export function Diagram({ source, closed }: { source: string; closed: boolean }) {
  const t = useText('markdown')
  const engine = useLazy<Engine>(load, closed)
  const theme = usePageTheme()
  const [drawing, setDrawing] = useState<Drawing>({ state: 'drawing' })
  const [asSource, setAsSource] = useState(false)
  const [large, setLarge] = useState(false)
  useEffect(() => {
    if (!engine || !closed) return
    let url = ''
    let gone = false
    engine.drawDiagram(source).then(
      (drawn) => {
        if (gone) return
        url = URL.createObjectURL(new Blob([drawn.svg], { type: 'image/svg+xml' }))
        setDrawing({ state: 'drawn', url, ...drawn })
      },
      (error: unknown) => {
        if (!gone) setDrawing({ state: 'failed', reason: error instanceof Error ? error.message : String(error) })
      },
    )
    return () => {
      gone = true
      if (url) URL.revokeObjectURL(url)
    }
  }, [engine, source, closed, theme])

  if (!closed || drawing.state !== 'drawn' || asSource) {
    return (
      <div>
        <CodeBlock code={source} language="mermaid" closed={closed} />
        <p className="-mt-1 mb-3 flex items-center gap-2 text-sm text-muted">
          {closed && drawing.state === 'drawing' && <Spinner size={14} />}
          {closed && drawing.state === 'drawing' && t('diagram.drawing')}
          {drawing.state === 'failed' && <span className="text-danger-ink">{t('diagram.failed', drawing)}</span>}
          {asSource && (
            <IconButton label={t('diagram.show')} icon={<Workflow />} size="small" onClick={() => setAsSource(false)} />
          )}
        </p>
      </div>
    )
  }
  return (
    <figure className="my-3 rounded-lg border border-line bg-sunken">
      <div className="flex h-8 items-center justify-end gap-1 border-b border-line px-1">
        <IconButton label={t('diagram.source')} icon={<Code2 />} size="small" onClick={() => setAsSource(true)} />
        <IconButton
          label={t('diagram.download')}
          icon={<Download />}
          size="small"
          onClick={() => saveFile('diagram.svg', drawing.svg, 'image/svg+xml')}
        />
      </div>
      <div className="overflow-x-auto p-3">
        <button
          type="button"
          aria-label={t('diagram.enlarge')}
          onClick={() => setLarge(true)}
          className="mx-auto block max-w-full cursor-zoom-in rounded-md"
        >
          <img
            src={drawing.url}
            width={drawing.width}
            height={drawing.height}
            alt={t('diagram.alt', { source: source.slice(0, 600) })}
            className="h-auto max-w-full"
          />
        </button>
      </div>
      <Dialog open={large} onOpenChange={setLarge} title={t('diagram.title')} width="full">
        <div className="grid min-h-full overflow-auto">
          <img
            src={drawing.url}
            width={Math.max(drawing.width * 2, 640)}
            alt={t('diagram.alt', { source: source.slice(0, 600) })}
            className="m-auto h-auto max-w-none"
          />
        </div>
      </Dialog>
      {drawing.lost && <figcaption className="px-3 pb-2 text-xs text-muted">{t('diagram.lost')}</figcaption>}
    </figure>
  )
}

/** What the colours of the page follow from: another value, other colours. */
function usePageTheme(): string {
  return useSyncExternalStore(
    (changed) => {
      const observer = new MutationObserver(changed)
      observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-accent'] })
      return () => observer.disconnect()
    },
    () => `${document.documentElement.dataset['theme']} ${document.documentElement.dataset['accent']}`,
    () => '',
  )
}
