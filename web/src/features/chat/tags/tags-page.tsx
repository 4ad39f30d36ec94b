import type { Tag } from '@atrium/contract/chat'
import { foldTag, mostTagLetters } from '@atrium/contract/tag-name'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Pencil, Search, Tag as TagIcon, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { PagedList } from '../../../blocks/paged-list.tsx'
import { operatorOf } from '../../../blocks/search-operators/operators.ts'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from 'virtual:words/chat-tags'
import { listQuery } from '../list/cache.ts'
import { ChatItem } from '../list/chat-item.tsx'
import { deleteTag, renameTag, tagsQuery } from './data.ts'
import { tagClasses } from './tag-links.tsx'

/** `/tags`: all tags, and the chats of the one that the address names. */
export function TagsPage() {
  const t = useText('chat-tags')
  const { tag: addressed } = useSearch({ strict: false }) as { tag?: string }
  const tags = useQuery(tagsQuery)
  const items = tags.data?.items ?? []
  const tag = items.find(({ name }) => foldTag(name) === foldTag(addressed ?? ''))
  useTitle(tag ? `${tag.name} · ${t('title')}` : t('title'))
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="page-column">
        <header>
          <h1 className="text-xl font-semibold tracking-tight">{t('title')}</h1>
          <p className="text-muted">{t('note')}</p>
        </header>
        {tags.isPending && <Skeleton lines={2} />}
        {tags.isError && (
          <ErrorCard title={t('failed')} onRetry={() => void tags.refetch()}>
            {wordsOf(tags.error)}
          </ErrorCard>
        )}
        {tags.isSuccess && items.length === 0 && (
          <EmptyState icon={<TagIcon />} title={t('nothing')}>
            {t('nothingHint')}
          </EmptyState>
        )}
        {items.length > 0 && (
          <ul aria-label={t('title')} className="flex flex-wrap gap-1.5">
            {items.map(({ id, name, chatCount }) => (
              <li key={id} className="max-w-full min-w-0">
                <Link to={links.tags(name)} aria-current={id === tag?.id ? 'true' : undefined} className={tagClasses}>
                  <bdi className="truncate">{name}</bdi>
                  <span className="text-muted tabular-nums">
                    <span aria-hidden>{chatCount}</span>
                    <span className="sr-only">{t('chats', { count: chatCount })}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
        {tag && <ChatsOfTag key={tag.id} tag={tag} />}
        {tags.isSuccess && addressed !== undefined && !tag && items.length > 0 && (
          <EmptyState icon={<TagIcon />} title={t('gone', { name: addressed })}>
            {t('goneHint')}
          </EmptyState>
        )}
      </div>
    </div>
  )
}

function ChatsOfTag({ tag }: { tag: Tag }) {
  const t = useText('chat-tags')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const list = useInfiniteQuery(listQuery({ archived: 'any', tag: tag.name }))
  const chats = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section className="flex flex-col gap-3">
      <div className="flex items-center gap-1">
        <h2 className="min-w-0 flex-1 truncate text-md font-semibold">
          <bdi>{tag.name}</bdi>
        </h2>
        <IconButton
          label={t('search')}
          icon={<Search />}
          onClick={() => void navigate({ to: links.search(`${operatorOf('tag', tag.name)} `) })}
        />
        <IconButton label={t('rename')} icon={<Pencil />} onClick={() => setDialog('rename')} />
        <IconButton label={t('delete')} icon={<Trash2 />} onClick={() => setDialog('delete')} />
      </div>
      <PagedList
        pages={list}
        label={tag.name}
        failed={t('failedChats')}
        empty={
          <EmptyState icon={<TagIcon />} title={t('noChats')}>
            {t('noChatsHint')}
          </EmptyState>
        }
      >
        {chats.map((chat) => (
          <ChatItem key={chat.id} chat={chat} />
        ))}
      </PagedList>
      {dialog === 'rename' && <RenameTag tag={tag} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && <DeleteTag tag={tag} onClose={() => setDialog(null)} />}
    </section>
  )
}

function RenameTag({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const t = useText('chat-tags')
  const navigate = useNavigate()
  const others = useQuery(tagsQuery).data?.items.filter(({ id }) => id !== tag.id) ?? []
  const [name, setName] = useState(tag.name)
  const { busy, error, run } = useRun()
  const twin = others.find((other) => foldTag(other.name) === foldTag(name))
  return (
    <FormDialog
      title={t('renameTitle')}
      width="narrow"
      submit={t(twin ? 'merge' : 'rename')}
      disabled={foldTag(name) === '' || name === tag.name}
      busy={busy}
      error={error}
      onSubmit={() =>
        void run(async () => {
          const { name: now } = await renameTag(tag.id, name)
          onClose()
          await navigate({ to: links.tags(now), replace: true })
        })
      }
      onClose={onClose}
    >
      <Field label={t('name')} hint={twin ? t('mergeHint', { name: twin.name }) : undefined}>
        <Input dir="auto" maxLength={mostTagLetters} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
    </FormDialog>
  )
}

function DeleteTag({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const t = useText('chat-tags')
  const navigate = useNavigate()
  const { busy, error, run } = useRun()
  return (
    <FormDialog
      title={t('deleteTitle', { name: tag.name })}
      description={t('deleteText')}
      width="narrow"
      submit={t('delete')}
      tone="danger"
      busy={busy}
      error={error}
      onSubmit={() =>
        void run(async () => {
          await deleteTag(tag.id)
          onClose()
          await navigate({ to: links.tags(), replace: true })
        })
      }
      onClose={onClose}
    />
  )
}

/** Something that the server may refuse, once at a time. */
function useRun() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<{ title: string } | null>(null)
  async function run(work: () => Promise<void>) {
    setBusy(true)
    try {
      await work()
    } catch (failure) {
      setError({ title: wordsOf(failure) })
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, run }
}
