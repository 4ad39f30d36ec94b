import type { Folder, Project } from '@atrium/contract/chat'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ChevronLeft, FolderOpen, SquarePen } from 'lucide-react'
import { codeOf, detailsOf, wordsOf } from '../../../api/errors.ts'
import { PagedList } from '../../../blocks/paged-list.tsx'
import { useAction } from '../../../lib/actions.ts'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { foldersQuery, listQuery } from '../list/cache.ts'
import { ChatItem } from '../list/chat-item.tsx'
import { FolderGone } from '../list/folder-gone.tsx'
import { FolderMenu } from '../list/folder-menu.tsx'
import { ChatWindows } from '../list/windows.tsx'
import { useText } from 'virtual:words/chat-project'
import { projectQuery } from './data.ts'
import { Files } from './files.tsx'
import { Instructions } from './instructions.tsx'
import { Settings } from './settings.tsx'

/** `/projects/<id>`: its chats, and what counts for all of them. */
export function ProjectPage() {
  const { projectId } = useParams({ strict: false }) as { projectId: string }
  return <Opened key={projectId} id={projectId} />
}

function Opened({ id }: { id: string }) {
  const t = useText('chat-project')
  const project = useQuery({ ...projectQuery(id), retry: false })
  const projects = useQuery(foldersQuery).data?.items ?? []
  useTitle(project.data?.name ?? t('projects'))
  if (project.data) return <Page project={project.data} projects={projects} />
  if (project.isPending) return <Skeleton lines={7} className="page-column pt-12" />
  if (codeOf(project.error) === 'folder_not_found') {
    return (
      <FolderGone title={t('gone')} to={links.trash()} place={t('chat-list:trashPage')}>
        {t('goneText')}
      </FolderGone>
    )
  }
  return (
    <div className="m-auto w-full max-w-md p-4">
      <ErrorCard title={t('failed')} details={detailsOf(project.error)} onRetry={() => void project.refetch()}>
        {wordsOf(project.error)}
      </ErrorCard>
    </div>
  )
}

function Page({ project, projects }: { project: Project; projects: readonly Folder[] }) {
  const t = useText('chat-project')
  const navigate = useNavigate()
  const parent = projects.find(({ id }) => id === project.parentId)
  const begin = links.newChat({ folder: project.id })
  useAction('chat.new', () => void navigate({ to: begin }))
  return (
    <div className="h-full overflow-y-auto">
      <div className="page-column gap-6 desk:max-w-[68rem]">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-3">
          <div className="min-w-60 flex-1">
            {parent && (
              <Link
                to={links.project(parent.id)}
                className="mb-1 inline-flex max-w-full items-center gap-1 text-sm text-muted hover:text-ink"
              >
                <ChevronLeft aria-hidden className="size-4 shrink-0" />
                <bdi className="truncate">{parent.name}</bdi>
              </Link>
            )}
            <h1 className="flex items-center gap-2 text-xl font-semibold tracking-tight">
              <FolderOpen aria-hidden className="size-5 shrink-0 text-muted" />
              <bdi className="min-w-0 break-words">{project.name}</bdi>
            </h1>
          </div>
          <div className="flex items-center gap-1.5">
            <Button tone="primary" asChild>
              <Link to={begin}>
                <SquarePen aria-hidden className="size-4" />
                {t('newChat')}
              </Link>
            </Button>
            <FolderMenu folder={project} size="normal" />
          </div>
        </header>
        <div className="grid items-start gap-6 desk:grid-cols-[minmax(0,1fr)_21rem]">
          <div className="flex min-w-0 flex-col gap-6">
            <Inside projects={projects.filter(({ parentId }) => parentId === project.id)} />
            <Chats project={project} />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <Instructions project={project} />
            <Files project={project} />
            <Settings project={project} projects={projects} />
          </div>
        </div>
      </div>
      <ChatWindows />
    </div>
  )
}

function Inside({ projects }: { projects: readonly Folder[] }) {
  const t = useText('chat-project')
  if (projects.length === 0) return null
  return (
    <section aria-labelledby="projects-inside">
      <h2 id="projects-inside" className="mb-2 font-semibold">
        {t('inside')}
      </h2>
      <ul className="flex flex-wrap gap-2">
        {projects.map(({ id, name }) => (
          <li key={id} className="max-w-full">
            <Link
              to={links.project(id)}
              className="flex h-control max-w-full items-center gap-2 rounded-md border border-line bg-raised px-3 hover:bg-hover"
            >
              <FolderOpen aria-hidden className="size-4 shrink-0 text-muted" />
              <bdi className="truncate">{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Chats({ project }: { project: Project }) {
  const t = useText('chat-project')
  const list = useInfiniteQuery(listQuery({ folderId: project.id }))
  const chats = list.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section aria-labelledby="project-chats">
      <h2 id="project-chats" className="mb-2 font-semibold">
        {t('chats.title')}
      </h2>
      <PagedList
        pages={list}
        label={t('chats.title')}
        failed={t('chats.failed')}
        empty={
          <p className="rounded-lg border border-dashed border-line-strong/60 px-4 py-8 text-center text-muted">
            <span className="block font-medium text-ink">{t('chats.empty')}</span>
            {t('chats.emptyHint')}
          </p>
        }
      >
        {chats.map((chat) => (
          <ChatItem key={chat.id} chat={chat} />
        ))}
      </PagedList>
    </section>
  )
}
