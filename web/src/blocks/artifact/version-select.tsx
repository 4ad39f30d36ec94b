import { type ArtifactVersion, artifactsRoutes as routes, type OpenArtifact } from '@atrium/contract/artifacts'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/query.ts'
import { factSeparator, formatAgo } from '../../lib/format.ts'
import { Select } from '../../ui/select.tsx'
import { useText } from 'virtual:words/artifact'

/** Which version is shown. */
export function VersionSelect({
  artifact,
  value,
  onChange,
}: {
  artifact: OpenArtifact
  value: number
  onChange: (version: number) => void
}) {
  const t = useText('artifact')
  const { data } = useQuery(queryOf(routes.versions, { params: { artifactId: artifact.id } }))
  const versions = data?.items ?? []
  const who = ({ author: { kind, name } }: ArtifactVersion) => (kind === 'model' ? t('byModel') : (name ?? t('byGone')))
  const nameOf = (version: ArtifactVersion) =>
    [
      t('versionBy', { number: version.number, who: who(version), time: formatAgo(version.createdAt) }),
      version.restoredFrom !== null && t('restoredFrom', { number: version.restoredFrom }),
      version.number === artifact.version && t('newest'),
    ]
      .filter(Boolean)
      .join(factSeparator())
  const known = versions.some(({ number }) => number === value)
  return (
    <Select
      aria-label={t('versions')}
      className="w-36 max-tab:w-auto max-tab:flex-1"
      value={`${value}`}
      onChange={(number) => onChange(Number(number))}
      options={[
        ...(known ? [] : [{ value: `${value}`, label: t('version', { number: value }) }]),
        ...versions.map((version) => ({ value: `${version.number}`, label: nameOf(version) })),
      ]}
    />
  )
}
