import type { Collection } from '@atrium/contract/documents'
import { Link } from '@tanstack/react-router'
import {
  Files,
  FolderClosed,
  Library,
  type LucideIcon,
  MessagesSquare,
  MoreHorizontal,
  Pencil,
  Plus,
  Share2,
  Trash2,
  Users,
} from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { moveDocuments } from '../data/changes.ts'
import { isDragged, takeDragged } from '../list/drag.ts'
import type { DocumentsSearch } from '../search.ts'
import { useText } from 'virtual:words/documents'

/** What a collection's menu asks for; the page has the windows. */
export type CollectionDialogRequest = { what: 'name' | 'delete' | 'share'; collection: Collection } | { what: 'new' }

/** All documents, their parts, and the collections. Documents can be dropped on a collection. */
export function CollectionPanel({
  search,
  collections,
  onAsk,
  onDone,
}: {
  search: DocumentsSearch
  collections: readonly Collection[]
  onAsk: (asked: CollectionDialogRequest) => void
  /** Something was chosen. */
  onDone?: () => void
}) {
  const t = useText('documents')
  const own = collections.filter(({ shared }) => !shared)
  const others = collections.filter(({ shared }) => shared)
  const here = search.collection ? null : (search.in ?? 'all')
  const part = (id: 'all' | NonNullable<DocumentsSearch['in']>, icon: LucideIcon) => (
    <Entry
      icon={icon}
      to={links.documents(id === 'all' ? {} : { in: id })}
      here={here === id}
      name={t(`part.${id}`)}
      onDone={onDone}
      {...(id === 'library' ? { takes: () => void moveDocuments(takeDragged(), null) } : {})}
    />
  )
  return (
    <nav aria-label={t('collection.nav')} className="flex flex-col gap-4 px-2 py-3">
      <ul className="flex flex-col gap-px">
        {part('all', Files)}
        {part('library', Library)}
        {part('chats', MessagesSquare)}
        {part('shared', Users)}
        <Entry icon={Trash2} to={links.trash()} here={false} name={t('part.trash')} onDone={onDone} />
      </ul>
      <section>
        <div className="flex items-center justify-between ps-2.5">
          <h2 className="text-xs font-medium text-muted">{t('collection.title')}</h2>
          <IconButton label={t('collection.new')} icon={<Plus />} size="small" onClick={() => onAsk({ what: 'new' })} />
        </div>
        {collections.length === 0 && <p className="px-2.5 py-1 text-sm text-muted">{t('collection.none')}</p>}
        <ul className="flex flex-col gap-px">
          {[...own, ...others].map((collection) => (
            <Entry
              key={collection.id}
              icon={collection.shared || collection.grantCount ? Users : FolderClosed}
              to={links.documents({ collection: collection.id })}
              here={search.collection === collection.id}
              name={collection.name}
              about={
                collection.ownerName
                  ? t('where.by', { name: collection.ownerName })
                  : collection.grantCount
                    ? t('collection.sharedWith', { count: collection.grantCount })
                    : null
              }
              count={collection.documentCount}
              onDone={onDone}
              {...(collection.shared
                ? {}
                : {
                    takes: () => void moveDocuments(takeDragged(), collection),
                    menu: <CollectionMenu collection={collection} onAsk={onAsk} />,
                  })}
            />
          ))}
        </ul>
      </section>
    </nav>
  )
}

/** What can be done with an own collection. */
export function CollectionMenu({
  collection,
  onAsk,
}: {
  collection: Collection
  onAsk: (asked: CollectionDialogRequest) => void
}) {
  const t = useText('documents')
  return (
    <Menu
      trigger={
        <IconButton
          label={t('collection.menu', { name: collection.name })}
          icon={<MoreHorizontal />}
          size="small"
          tooltipSide="none"
        />
      }
    >
      <MenuItem icon={<Share2 />} onSelect={() => onAsk({ what: 'share', collection })}>
        {t('collection.share')}
      </MenuItem>
      <MenuItem icon={<Pencil />} onSelect={() => onAsk({ what: 'name', collection })}>
        {t('collection.rename')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} danger onSelect={() => onAsk({ what: 'delete', collection })}>
        {t('collection.delete')}
      </MenuItem>
    </Menu>
  )
}

function Entry({
  icon: Icon,
  to,
  here,
  name,
  about,
  count,
  menu,
  takes,
  onDone,
}: {
  icon: LucideIcon
  to: string
  here: boolean
  name: string
  about?: string | null
  count?: number
  menu?: React.ReactNode
  /** Documents were dropped on it. */
  takes?: () => void
  onDone?: (() => void) | undefined
}) {
  const [over, setOver] = useState(false)
  const hover = (event: DragEvent) => {
    if (!takes || !isDragged(event)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
    setOver(true)
  }
  return (
    <li
      onDragEnter={hover}
      onDragOver={hover}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (!takes || !isDragged(event)) return
        event.preventDefault()
        takes()
      }}
      className={classNames(
        'group flex items-center gap-1 rounded-md pe-1',
        here ? 'bg-accent-soft text-accent-ink' : 'hover:bg-hover',
        over && 'outline-2 outline-accent-line',
      )}
    >
      <Link
        to={to}
        aria-current={here ? 'page' : undefined}
        onClick={onDone}
        className={classNames(
          'flex min-h-row min-w-0 flex-1 items-center gap-2.5 rounded-md px-2.5 py-1',
          here && 'font-medium',
        )}
      >
        <Icon aria-hidden className={classNames('size-4 shrink-0', !here && 'text-muted')} />
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate">
            {name}
          </span>
          {about && <span className="block truncate text-xs font-normal text-muted">{about}</span>}
        </span>
        {count !== undefined && <span className="text-xs text-muted tabular-nums">{formatNumber(count)}</span>}
      </Link>
      {menu}
    </li>
  )
}
