import { artifactsRoutes as routes, type OpenArtifact } from '@atrium/contract/artifacts'
import { useQuery } from '@tanstack/react-query'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/artifact'
import { CodeView } from './code-view.tsx'

/** How a version differs from the one before it. */
export function ChangesView({ artifact, version, text }: { artifact: OpenArtifact; version: number; text: string }) {
  const t = useText('artifact')
  const kept = useQuery(queryOf(routes.versions, { params: { artifactId: artifact.id } }))
  const earlier = kept.data?.items.find(({ number }) => number < version)?.number
  const before = useQuery({
    ...queryOf(routes.readVersion, { params: { artifactId: artifact.id, version: earlier ?? 1 } }),
    enabled: earlier !== undefined,
  })
  const failed = [kept, before].find(({ error }) => error)
  if (failed?.error) {
    return (
      <div className="p-4">
        <ErrorCard title={t('versionFailed')} details={detailsOf(failed.error)} onRetry={() => void failed.refetch()}>
          {wordsOf(failed.error)}
        </ErrorCard>
      </div>
    )
  }
  if (kept.data && earlier === undefined) return <p className="p-4 text-muted">{t('noChanges')}</p>
  if (!before.data) return <Skeleton lines={8} className="p-4" />
  return (
    <CodeView
      key={version}
      title={artifact.title}
      text={text}
      language={artifact.language ?? artifact.kind}
      original={before.data.content}
      onChange={null}
      onSave={() => undefined}
    />
  )
}
