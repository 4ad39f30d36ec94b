import { artifactsRoutes as routes } from '@atrium/contract/artifacts'
import { useQuery } from '@tanstack/react-query'
import { codeOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { factSeparator, formatSize } from '../../lib/format.ts'
import { useText } from 'virtual:words/artifact'
import './changes.ts'
import { KindIcon } from './kind-icon.tsx'

export interface CardArtifact {
  readonly id: string
  readonly title: string
}

/** The artifacts that an answer made or changed, each in one line that opens it. */
export function ArtifactCards({
  artifacts,
  onOpen,
}: {
  artifacts: readonly CardArtifact[]
  onOpen: (id: string) => void
}) {
  const t = useText('artifact')
  return (
    <ul aria-label={t('made')} className="my-3 flex flex-col gap-1.5">
      {artifacts.map((artifact) => (
        <li key={artifact.id}>
          <Card artifact={artifact} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

function Card({ artifact: { id, title }, onOpen }: { artifact: CardArtifact; onOpen: (id: string) => void }) {
  const t = useText('artifact')
  const { data, error } = useQuery(queryOf(routes.read, { params: { artifactId: id } }))
  const isGone = codeOf(error) === 'artifact_not_found' && error !== null
  const facts = data
    ? [t(`kind.${data.kind}`), t('version', { number: data.version }), formatSize(data.sizeBytes)]
    : [isGone ? t('gone') : '…']
  return (
    <button
      type="button"
      disabled={isGone}
      onClick={() => onOpen(id)}
      className="hit flex w-full max-w-md items-center gap-3 rounded-lg border border-line bg-raised px-3.5 py-2.5 text-start hover:bg-hover disabled:opacity-60"
    >
      <KindIcon kind={data?.kind ?? 'code'} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-medium">
          {data?.title ?? title}
        </span>
        <span className="block truncate text-sm text-muted">{facts.join(factSeparator())}</span>
      </span>
    </button>
  )
}
