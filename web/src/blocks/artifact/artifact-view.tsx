import { artifactsRoutes as routes, type OpenArtifact } from '@atrium/contract/artifacts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Code, Diff, Eye, Maximize, Minimize } from 'lucide-react'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toaster.tsx'
import { CopyButton } from '../copy-button.tsx'
import { useText } from 'virtual:words/artifact'
import { restoreVersion } from './changes.ts'
import { ChangesView } from './changes-view.tsx'
import { CodeView } from './code-view.tsx'
import { DraftBar } from './draft-bar.tsx'
import { KindIcon } from './kind-icon.tsx'
import { useFullScreen } from './use-full-screen.ts'
import { useDraft } from './use-draft.ts'
import { VersionSelect } from './version-select.tsx'
import { ViewMenu } from './view-menu.tsx'

const ShownView = lazy(() => import('./shown-view.tsx').then((module) => ({ default: module.ShownView })))

export interface ArtifactViewProps {
  artifact: OpenArtifact
  heading: 'h1' | 'h3'
  /** Stands before the title: the way back. */
  start?: ReactNode
  /** Stands at the end of the head: the way to close it. */
  end?: ReactNode
  /** Sends what went wrong to a model; absent where none can be asked. */
  onFix?: ((problem: string) => void) | undefined
  onRemoved: () => void
}

/** One artifact with its versions, to be read and changed. */
export function ArtifactView({ artifact, heading: Heading, start, end, onFix, onRemoved }: ArtifactViewProps) {
  const t = useText('artifact')
  const draft = useDraft(artifact)
  const box = useRef<HTMLDivElement>(null)
  const full = useFullScreen(box)
  const [view, setView] = useState<'preview' | 'code' | 'changes'>(
    artifact.kind === 'code' || artifact.content === '' ? 'code' : 'preview',
  )
  const [chosen, setChosen] = useState<number | null>(null)
  const version = chosen ?? artifact.version
  const isNewest = version === artifact.version
  const older = useQuery({
    ...queryOf(routes.readVersion, { params: { artifactId: artifact.id, version } }),
    enabled: !isNewest,
  })
  const text = isNewest ? draft.text : older.data?.content
  const choose = (number: number) => setChosen(number === artifact.version ? null : number)
  const { data: kept } = useQuery(queryOf(routes.versions, { params: { artifactId: artifact.id } }))
  /** One version back or on, by the keys `,` and `.`. */
  const step = (event: KeyboardEvent) => {
    const by = event.key === ',' ? -1 : event.key === '.' ? 1 : 0
    if (by === 0 || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    if (event.target instanceof Element && event.target.closest('input,textarea,select,[contenteditable]')) return
    // Newest first, and not every number is kept.
    const numbers = kept?.items.map(({ number }) => number) ?? []
    const to = numbers[numbers.indexOf(version) - by]
    if (numbers.includes(version) && to !== undefined) choose(to)
  }
  return (
    <div ref={box} onKeyDown={step} className="flex h-full min-h-0 flex-col bg-surface">
      <header className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1.5">
        {start}
        <KindIcon kind={artifact.kind} />
        <Heading dir="auto" className="min-w-24 flex-1 truncate font-medium">
          {artifact.title}
        </Heading>
        <SegmentedControl
          label={t('view')}
          value={view}
          onChange={setView}
          options={[
            ...(artifact.kind === 'code' ? [] : [{ value: 'preview' as const, label: t('preview'), icon: <Eye /> }]),
            { value: 'code', label: t('code'), icon: <Code /> },
            ...(artifact.version > 1 ? [{ value: 'changes' as const, label: t('changes'), icon: <Diff /> }] : []),
          ]}
        />
        <VersionSelect artifact={artifact} value={version} onChange={choose} />
        <CopyButton text={() => text ?? ''} label={t('copy')} size="normal" />
        <IconButton
          label={full.isFull ? t('leaveFullScreen') : t('fullScreen')}
          icon={full.isFull ? <Minimize /> : <Maximize />}
          onClick={full.toggle}
        />
        <ViewMenu artifact={artifact} version={version} content={text} onRemoved={onRemoved} />
        {end}
      </header>
      {!isNewest && (
        <OlderBar artifact={artifact} version={version} mayRestore={draft.mayChange} onDone={() => setChosen(null)} />
      )}
      {older.error && !isNewest ? (
        <div className="p-4">
          <ErrorCard title={t('versionFailed')} details={detailsOf(older.error)} onRetry={() => void older.refetch()}>
            {wordsOf(older.error)}
          </ErrorCard>
        </div>
      ) : text === undefined ? (
        <Skeleton lines={8} className="p-4" />
      ) : view === 'preview' ? (
        <Suspense fallback={<Skeleton lines={8} className="p-4" />}>
          <ShownView
            kind={artifact.kind}
            title={artifact.title}
            content={text}
            onFullScreen={full.enter}
            onFix={onFix}
          />
        </Suspense>
      ) : view === 'changes' ? (
        <ChangesView artifact={artifact} version={version} text={text} />
      ) : (
        <CodeView
          title={artifact.title}
          text={text}
          language={artifact.language ?? artifact.kind}
          onChange={isNewest && draft.mayChange ? draft.type : null}
          onSave={draft.save}
        />
      )}
      <DraftBar draft={draft} />
    </div>
  )
}

/** Says that an earlier version is shown, and leads back. */
function OlderBar({
  artifact,
  version,
  mayRestore,
  onDone,
}: {
  artifact: OpenArtifact
  version: number
  mayRestore: boolean
  onDone: () => void
}) {
  const t = useText('artifact')
  const restore = useMutation({
    mutationFn: () => restoreVersion(artifact.id, version),
    onSuccess: onDone,
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-sunken px-3 py-1.5 text-sm">
      <span role="status" className="min-w-0 flex-1">
        {t('older', { number: version })}
      </span>
      <Button size="small" onClick={onDone}>
        {t('toNewest')}
      </Button>
      {mayRestore && (
        <Button size="small" tone="primary" busy={restore.isPending} onClick={() => restore.mutate()}>
          {t('restore')}
        </Button>
      )}
    </div>
  )
}
