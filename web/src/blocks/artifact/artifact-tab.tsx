import { artifactsRoutes as routes } from '@atrium/contract/artifacts'
import { useQuery } from '@tanstack/react-query'
import { FileX } from 'lucide-react'
import { codeOf, detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/artifact'
import { ArtifactView } from './artifact-view.tsx'

/** An artifact beside a chat, by its id. */
export function ArtifactTab({
  id,
  onFix,
  onClose,
}: {
  id: string
  onFix: ((title: string, problem: string) => void) | undefined
  onClose: () => void
}) {
  const t = useText('artifact')
  const { data, error, refetch } = useQuery(queryOf(routes.read, { params: { artifactId: id } }))
  if (error && codeOf(error) === 'artifact_not_found') return <EmptyState icon={<FileX />} title={t('gone')} />
  if (error && !data) {
    return (
      <div className="p-4">
        <ErrorCard title={t('notLoaded')} details={detailsOf(error)} onRetry={() => void refetch()}>
          {wordsOf(error)}
        </ErrorCard>
      </div>
    )
  }
  if (!data) return <Skeleton lines={10} className="p-5" />
  return (
    <ArtifactView
      key={id}
      artifact={data}
      heading="h3"
      onFix={onFix && ((problem) => onFix(data.title, problem))}
      onRemoved={onClose}
    />
  )
}
