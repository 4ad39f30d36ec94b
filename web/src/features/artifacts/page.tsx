import { type Artifact, type ArtifactKind, artifactKinds, artifactsRoutes } from '@atrium/contract/artifacts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Search, Shapes } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { pagesOf } from '../../api/pages.ts'
import { removeArtifact } from '../../blocks/artifact/changes.ts'
import { PagedList } from '../../blocks/paged-list.tsx'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Select } from '../../ui/select.tsx'
import { useText } from 'virtual:words/artifacts'
import { useText as useBlockText } from 'virtual:words/artifact'
import { ArtifactRow } from './row.tsx'
import type { ArtifactsSearch } from './search.ts'
import { TitleDialog } from './title-dialog.tsx'

const ShareArtifact = lazy(() =>
  import('../../blocks/artifact/share-artifact.tsx').then((module) => ({ default: module.ShareArtifact })),
)

/** The window that is open, and the artifact that it is about; none for a new one. */
type Asked = { what: 'title'; artifact: Artifact | null } | { what: 'share'; artifact: Artifact } | null

/** `/artifacts`: the own ones and those of others, last changed first. */
export function ArtifactsPage() {
  const t = useText('artifacts')
  useTitle(t('title'))
  const navigate = useNavigate()
  const { kind, of } = useSearch({ strict: false }) as ArtifactsSearch
  const heading = useRef<HTMLHeadingElement>(null)
  const [asked, setAsked] = useState<Asked>(null)
  const known = artifactKinds.find((one) => one === kind)
  const list = useInfiniteQuery(pagesOf(artifactsRoutes.list, { query: { limit: 50, kind: known, of } }))
  const artifacts = list.data ?? []
  const close = () => setAsked(null)
  const remove = async (artifact: Artifact) => {
    await removeArtifact(artifact)
    // The menu that had the focus is gone.
    heading.current?.focus()
  }
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="page-column">
        <header className="flex flex-wrap items-center gap-2">
          <h1
            ref={heading}
            tabIndex={-1}
            className="flex-1 text-xl font-semibold tracking-tight outline-none max-tab:basis-full"
          >
            {t('title')}
          </h1>
          <Button asChild>
            <Link to={links.search('in:artifacts ')}>
              <Search aria-hidden className="size-4" />
              {t('search')}
            </Link>
          </Button>
          <Button
            tone="primary"
            icon={<Plus className="size-4" />}
            onClick={() => setAsked({ what: 'title', artifact: null })}
          >
            {t('new')}
          </Button>
        </header>
        <Filters kind={known} of={of} />
        <PagedList
          pages={list}
          label={t('title')}
          failed={t('failed')}
          empty={
            <EmptyState icon={<Shapes />} title={known || of ? t('noMatch') : t('nothing')}>
              {known || of ? t('noMatchText') : t('nothingText')}
            </EmptyState>
          }
        >
          {artifacts.map((artifact) => (
            <ArtifactRow
              key={artifact.id}
              artifact={artifact}
              onRename={() => setAsked({ what: 'title', artifact })}
              onShare={() => setAsked({ what: 'share', artifact })}
              onRemove={() => void remove(artifact)}
            />
          ))}
        </PagedList>
      </div>
      {asked?.what === 'title' && (
        <TitleDialog
          artifact={asked.artifact}
          onDone={({ id }) => {
            close()
            if (!asked.artifact) void navigate({ to: links.artifact(id) })
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'share' && (
        <Suspense>
          <ShareArtifact artifact={asked.artifact} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

function Filters({ kind, of }: { kind: ArtifactKind | undefined; of: ArtifactsSearch['of'] }) {
  const t = useText('artifacts')
  const words = useBlockText('artifact')
  const navigate = useNavigate()
  const show = (search: ArtifactsSearch) => void navigate({ to: links.artifacts(), search: search as never })
  return (
    <div role="group" aria-label={t('filter')} className="flex flex-wrap items-center gap-2">
      <SegmentedControl
        label={t('whose')}
        value={of ?? 'all'}
        onChange={(value) => show({ kind, of: value === 'all' ? undefined : value })}
        options={[
          { value: 'all', label: t('everybody') },
          { value: 'me', label: t('mine') },
          { value: 'others', label: t('others') },
        ]}
      />
      <Select
        aria-label={t('kindField')}
        value={kind ?? 'all'}
        onChange={(value) => show({ of, kind: value === 'all' ? undefined : value })}
        options={[
          { value: 'all', label: t('allKinds') },
          ...artifactKinds.map((value) => ({ value, label: words(`kind.${value}`) })),
        ]}
      />
    </div>
  )
}
