import { artifactsRoutes as routes } from '@atrium/contract/artifacts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queryOf } from '../../api/query.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/artifact'
import { CodeView } from './code-view.tsx'
import { applyChange, type ArtifactDraft, type DraftChange, type DrawnDraft } from './draft.ts'
import { KindIcon } from './kind-icon.tsx'
import { framedKinds } from './kinds.ts'
import { useNewestFirst } from './use-newest-first.ts'

const DraftPreview = lazy(() =>
  import('../preview/draft-preview.tsx').then((module) => ({ default: module.DraftPreview })),
)
const DrawnView = lazy(() => import('./drawn-view.tsx').then((module) => ({ default: module.DrawnView })))

/** An artifact beside a chat while a model writes it. */
export function DraftTab({ draft }: { draft: ArtifactDraft }) {
  return 'change' in draft ? <ChangedDraft id={draft.id} change={draft.change} /> : <DraftView draft={draft} />
}

function ChangedDraft({ id, change }: { id: string; change: DraftChange }) {
  const { data } = useQuery(queryOf(routes.read, { params: { artifactId: id } }))
  // What is changed meanwhile is what the change began with.
  const [before, setBefore] = useState(data)
  if (data && !before) setBefore(data)
  if (!before) return <Skeleton lines={10} className="p-5" />
  return <DraftView draft={applyChange(before, change)} />
}

function DraftView({ draft: { kind, title, content, language } }: { draft: DrawnDraft }) {
  const t = useText('artifact')
  const name = title || t('untitled', { kind: t(`kind.${kind}`) })
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <header className="flex min-h-12 shrink-0 items-center gap-2 border-b border-line px-3 py-1.5">
        <KindIcon kind={kind} />
        <h3 dir="auto" className="min-w-24 flex-1 truncate font-medium">
          {name}
        </h3>
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <Spinner size={14} />
          {t('writing')}
        </p>
      </header>
      <Suspense fallback={<Skeleton lines={8} className="p-4" />}>
        {framedKinds.includes(kind) ? (
          <DraftPreview kind={kind} title={name} content={content} />
        ) : kind === 'mermaid' ? (
          <DraftDiagram title={name} content={content} />
        ) : kind === 'code' ? (
          <CodeView title={name} text={content} language={language ?? kind} onChange={null} onSave={() => undefined} />
        ) : (
          <DrawnView kind={kind} title={name} content={content} />
        )}
      </Suspense>
    </div>
  )
}

/** The last text that is a diagram. */
function DraftDiagram({ title, content }: { title: string; content: string }) {
  const [good, setGood] = useState('')
  useNewestFirst(content, async (text, signal) => {
    if (text.trim() === '') return
    const { drawDiagram } = await import('../markdown/diagram-engine.ts')
    const isGood = await drawDiagram(text).then(
      () => true,
      () => false,
    )
    if (isGood && !signal.aborted) setGood(text)
  })
  if (good === '') return <Skeleton lines={8} className="p-4" />
  return <DrawnView kind="mermaid" title={title} content={good} />
}
