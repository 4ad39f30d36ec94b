import { artifactsRoutes } from '@atrium/contract/artifacts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft, FileX } from 'lucide-react'
import { useState } from 'react'
import { codeOf, detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { ArtifactView } from '../../blocks/artifact/artifact-view.tsx'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/artifacts'

/** `/artifacts/<id>`: one artifact. */
export function ArtifactPage() {
  const t = useText('artifacts')
  const { artifactId = '' } = useParams({ strict: false }) as { artifactId?: string }
  const navigate = useNavigate()
  const artifact = useQuery(queryOf(artifactsRoutes.read, { params: { artifactId } }))
  const [removed, setRemoved] = useState(false)
  useTitle(artifact.data?.title ?? t('title'))
  const back = (
    <Link
      to={links.artifacts()}
      className="hit inline-flex h-control items-center gap-1.5 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      <span className="max-tab:sr-only">{t('title')}</span>
    </Link>
  )
  if (removed || codeOf(artifact.error) === 'artifact_not_found') {
    return (
      <div className="grid h-full place-items-center">
        <EmptyState icon={<FileX />} title={t('gone')} pageTitle action={back}>
          {t('goneText')}
        </EmptyState>
      </div>
    )
  }
  if (artifact.data) {
    return (
      <ArtifactView
        key={artifactId}
        artifact={artifact.data}
        heading="h1"
        start={back}
        onRemoved={() => {
          setRemoved(true)
          void navigate({ to: links.artifacts() })
        }}
      />
    )
  }
  return (
    <div className="mx-auto w-full max-w-text p-6">
      <h1 className="sr-only">{t('title')}</h1>
      {artifact.error ? (
        <ErrorCard title={t('failed')} details={detailsOf(artifact.error)} onRetry={() => void artifact.refetch()}>
          {wordsOf(artifact.error)}
        </ErrorCard>
      ) : (
        <Skeleton lines={8} />
      )}
    </div>
  )
}
