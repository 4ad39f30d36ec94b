import { accessRoutes } from '@atrium/contract/access'
import { artifactsRoutes } from '@atrium/contract/artifacts'
import { chatRoutes } from '@atrium/contract/chat'
import type { Answer } from '@atrium/contract/route'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Link2, UsersRound, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { pagesOf } from '../../api/pages.ts'
import { refresh } from '../../api/query.ts'
import { PagedList } from '../../blocks/paged-list.tsx'
import { announce } from '../../lib/announce.ts'
import { factSeparator, formatDateTime } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { resourceDisplay, resourceLink, useResourceWords } from '../../lib/resources.ts'
import { useTitle } from '../../lib/title.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { toast } from '../../ui/toaster.tsx'
import { SharedHeader } from './header.tsx'
import { useText } from 'virtual:words/access'

type OwnGrant = Answer<typeof accessRoutes.sharedByMe>['items'][number]
type ChatLink = Answer<typeof chatRoutes.ownLinks>['items'][number]
type ArtifactLink = Answer<typeof artifactsRoutes.ownLinks>['items'][number]

/** `/shared/by-me`: what the account shares with people and groups and by links, until when, and the end of it. */
export function SharedByMePage() {
  const t = useText('access')
  useTitle(t('byMe.title'))
  const grants = useInfiniteQuery({ ...pagesOf(accessRoutes.sharedByMe, { query: { limit: 50 } }), staleTime: 0 })
  const chatLinks = useInfiniteQuery({ ...pagesOf(chatRoutes.ownLinks, { query: { limit: 50 } }), staleTime: 0 })
  const artifactLinks = useInfiniteQuery({
    ...pagesOf(artifactsRoutes.ownLinks, { query: { limit: 50 } }),
    staleTime: 0,
  })
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="page-column">
        <SharedHeader title={t('byMe.title')} note={t('byMe.note')} />
        <section className="flex flex-col gap-2">
          <h2 className="font-medium">{t('byMe.people')}</h2>
          <PagedList
            pages={grants}
            label={t('byMe.people')}
            failed={t('byMe.notLoaded')}
            empty={
              <EmptyState icon={<UsersRound />} title={t('byMe.nothing')}>
                {t('byMe.nothingHint')}
              </EmptyState>
            }
          >
            {(grants.data ?? []).map((grant) => (
              <GrantRow key={grant.id} grant={grant} />
            ))}
          </PagedList>
        </section>
        {(chatLinks.isError || (chatLinks.data?.length ?? 0) > 0) && (
          <section className="mt-4 flex flex-col gap-2">
            <h2 className="font-medium">{t('byMe.links')}</h2>
            <PagedList pages={chatLinks} label={t('byMe.links')} failed={t('byMe.notLoaded')} empty={<></>}>
              {(chatLinks.data ?? []).map((link) => (
                <ChatLinkRow key={link.id} link={link} />
              ))}
            </PagedList>
          </section>
        )}
        {(artifactLinks.isError || (artifactLinks.data?.length ?? 0) > 0) && (
          <section className="mt-4 flex flex-col gap-2">
            <h2 className="font-medium">{t('byMe.artifactLinks')}</h2>
            <PagedList pages={artifactLinks} label={t('byMe.artifactLinks')} failed={t('byMe.notLoaded')} empty={<></>}>
              {(artifactLinks.data ?? []).map((link) => (
                <ArtifactLinkRow key={link.id} link={link} />
              ))}
            </PagedList>
          </section>
        )}
      </div>
    </div>
  )
}

function GrantRow({ grant }: { grant: OwnGrant }) {
  const t = useText('access')
  const words = useResourceWords()
  const { resourceType, resourceId, name, principal, right, expiresAt } = grant
  const end = useMutation({
    mutationFn: () => call(accessRoutes.revoke, { params: { id: grant.id } }),
    onSuccess: async () => {
      announce(t('byMe.ended', { name }))
      await Promise.all([refresh(accessRoutes.sharedByMe), refresh(accessRoutes.grants)])
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const Icon = resourceDisplay(resourceType)?.icon
  const facts = [
    words(resourceType, 'name'),
    t(`byMe.with.${principal.type}`, { name: principal.name }),
    t(`byMe.right.${right}`),
    expiresAt !== null && t('byMe.until', { time: formatDateTime(expiresAt) }),
  ]
  return (
    <Row
      to={resourceLink(resourceType, { id: resourceId })}
      icon={Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
      name={name}
      end={principal.type === 'account' && <Monogram name={principal.name} picture={principal.avatar} />}
      facts={facts.filter(Boolean).join(factSeparator())}
      endLabel={t('byMe.end', { name, who: principal.name })}
      busy={end.isPending}
      onEnd={() => end.mutate()}
    />
  )
}

function ChatLinkRow({ link }: { link: ChatLink }) {
  const t = useText('access')
  const { id, chatId, withFiles } = link
  return (
    <LinkRow
      link={link}
      to={links.chat(chatId)}
      shows={t(withFiles ? 'byMe.link.files' : 'byMe.link.words')}
      onEnd={() => call(chatRoutes.removeLink, { params: { linkId: id } })}
      refreshAll={() => Promise.all([refresh(chatRoutes.ownLinks), refresh(chatRoutes.links)])}
    />
  )
}

function ArtifactLinkRow({ link }: { link: ArtifactLink }) {
  const t = useText('access')
  const { id, artifactId, version } = link
  return (
    <LinkRow
      link={link}
      to={links.artifact(artifactId)}
      shows={version === null ? t('byMe.link.newest') : t('byMe.link.version', { number: version })}
      onEnd={() => call(artifactsRoutes.removeLink, { params: { artifactId, linkId: id } })}
      refreshAll={() => Promise.all([refresh(artifactsRoutes.ownLinks), refresh(artifactsRoutes.links)])}
    />
  )
}

function LinkRow({
  link: { title, hasPassword, expiresAt },
  to,
  shows,
  onEnd,
  refreshAll,
}: {
  link: { readonly title: string; readonly hasPassword: boolean; readonly expiresAt: string }
  to: string
  /** What whoever has it sees. */
  shows: string
  onEnd: () => Promise<unknown>
  refreshAll: () => Promise<unknown>
}) {
  const t = useText('access')
  const end = useMutation({
    mutationFn: onEnd,
    onSuccess: async () => {
      announce(t('byMe.ended', { name: title }))
      await refreshAll()
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const facts = [shows, hasPassword && t('byMe.link.password'), t('byMe.until', { time: formatDateTime(expiresAt) })]
  return (
    <Row
      to={to}
      icon={<Link2 aria-hidden className="size-4 shrink-0 text-muted" />}
      name={title}
      facts={facts.filter(Boolean).join(factSeparator())}
      endLabel={t('byMe.link.end', { name: title })}
      busy={end.isPending}
      onEnd={() => end.mutate()}
    />
  )
}

function Row(row: {
  to: string
  icon: ReactNode
  name: string
  facts: string
  /** Shown at the end of the line. */
  end?: ReactNode
  endLabel: string
  busy: boolean
  onEnd: () => void
}) {
  return (
    <li className="flex items-center gap-1 pe-2">
      <Link to={row.to} className="flex min-w-0 flex-1 items-center gap-3 px-3.5 py-2.5 hover:bg-hover">
        {row.icon}
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate font-medium">
            {row.name}
          </span>
          <span className="block text-sm text-muted">{row.facts}</span>
        </span>
        {row.end}
      </Link>
      <IconButton label={row.endLabel} icon={<X />} disabled={row.busy} onClick={row.onEnd} />
    </li>
  )
}
