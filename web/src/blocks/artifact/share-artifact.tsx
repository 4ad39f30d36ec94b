import { type ArtifactLink, artifactsRoutes as routes } from '@atrium/contract/artifacts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toaster.tsx'
import { ShareDialog } from '../share/share-dialog.tsx'
import { LinkForm, type LinkValues } from '../share-links/link-form.tsx'
import { LinkRow } from '../share-links/link-row.tsx'
import { LinksSection } from '../share-links/section.tsx'
import { useText } from 'virtual:words/artifact'

interface Shared {
  readonly id: string
  readonly title: string
  /** The number of the newest version. */
  readonly version: number
}

/** Who an artifact is shared with, and the links by which it is seen without an account. */
export function ShareArtifact({ artifact, onClose }: { artifact: Shared; onClose: () => void }) {
  const { id, title } = artifact
  return (
    <ShareDialog resourceType="artifact" resourceId={id} name={title} onClose={onClose}>
      <ArtifactLinks artifact={artifact} />
    </ShareDialog>
  )
}

function ArtifactLinks({ artifact }: { artifact: Shared }) {
  const t = useText('artifact')
  const params = { artifactId: artifact.id }
  const links = useQuery({ ...queryOf(routes.links, { params }), staleTime: 0 })
  const changed = async () => {
    await Promise.all([refresh(routes.links), refresh(routes.ownLinks)])
  }
  return (
    <LinksSection
      lead={t('links.lead')}
      links={links}
      row={(link) => (
        <LinkRow
          key={link.id}
          link={link}
          facts={[t('links.opened', { count: link.openCount })]}
          onRemove={() => call(routes.removeLink, { params: Object.assign({ linkId: link.id }, params) })}
          onRemoved={changed}
          onChange={async (body) => {
            await call(routes.updateLink, { params: Object.assign({ linkId: link.id }, params), body })
            await changed()
          }}
        >
          <VersionOfLink link={link} newest={artifact.version} onChanged={changed} />
        </LinkRow>
      )}
      form={(onMade) => (
        <ArtifactLinkForm
          artifact={artifact}
          onMade={(url) => {
            onMade(url)
            void changed()
          }}
        />
      )}
    />
  )
}

function ArtifactLinkForm({ artifact, onMade }: { artifact: Shared; onMade: (url: string) => void }) {
  const t = useText('artifact')
  const [shown, setShown] = useState<'newest' | 'this'>('newest')
  const create = useMutation({
    mutationFn: (values: LinkValues) => {
      const version = shown === 'this' ? artifact.version : null
      return call(routes.addLink, { params: { artifactId: artifact.id }, body: Object.assign({ version }, values) })
    },
    onSuccess: ({ url }) => onMade(url),
  })
  return (
    <LinkForm busy={create.isPending} error={create.error} onSubmit={create.mutate}>
      <Field label={t('links.shows')}>
        <Select
          value={shown}
          onChange={setShown}
          options={[
            { value: 'newest', label: t('links.newest') },
            { value: 'this', label: t('links.fixed', { number: artifact.version }) },
          ]}
        />
      </Field>
    </LinkForm>
  )
}

/** Which version a link shows; another one is chosen here. */
function VersionOfLink({
  link: { id, artifactId, version },
  newest,
  onChanged,
}: {
  link: ArtifactLink
  newest: number
  onChanged: () => Promise<void>
}) {
  const t = useText('artifact')
  const change = useMutation({
    mutationFn: (to: number | null) =>
      call(routes.updateLink, { params: { artifactId, linkId: id }, body: { version: to } }),
    onSuccess: onChanged,
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const numbers = [...new Set([newest, ...(version === null ? [] : [version])])]
  return (
    <Select
      aria-label={t('links.shows')}
      value={version === null ? 'newest' : String(version)}
      disabled={change.isPending}
      onChange={(value) => change.mutate(value === 'newest' ? null : Number(value))}
      options={[
        { value: 'newest', label: t('links.newest') },
        ...numbers.map((number) => ({ value: String(number), label: t('links.fixed', { number }) })),
      ]}
    />
  )
}
