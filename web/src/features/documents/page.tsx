import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FolderClosed, PanelLeft, Share2 } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import 'virtual:words/document-viewer'
import { links } from '../../lib/links.ts'
import { useTight } from '../../lib/media.ts'
import { takesText } from '../../lib/shortcuts.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { CollectionDialogs } from './collections/dialogs.tsx'
import { type CollectionDialogRequest, CollectionMenu, CollectionPanel } from './collections/panel.tsx'
import { collectionsQuery } from './data/cache.ts'
import { useJobs } from './data/jobs.ts'
import { FetchDialog } from './fetch-dialog.tsx'
import { DocumentList } from './list/document-list.tsx'
import { Controls } from './list/controls.tsx'
import { SelectionBar } from './list/selection-bar.tsx'
import { useSelection } from '../../lib/use-selection.ts'
import { useDocumentList } from './list/use-list.ts'
import type { DocumentsSearch } from './search.ts'
import { useText } from 'virtual:words/documents'
import { AddButton } from './upload/button.tsx'
import { DropArea, type OnDropped } from './upload/drop.tsx'
import { addFiles } from './upload/queue.ts'
import { UploadTray } from './upload/tray.tsx'

/** `/documents`: the library, its collections, and what others share. */
export function DocumentsPage() {
  const t = useText('documents')
  const tight = useTight()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as DocumentsSearch
  const collections = useQuery(collectionsQuery).data ?? []
  const collection = collections.find(({ id }) => id === search.collection)
  const list = useDocumentList(search)
  const jobs = useJobs(list.reading)
  const selection = useSelection()
  const field = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState<CollectionDialogRequest | null>(null)
  const [panel, setPanel] = useState(false)
  const [fetching, setFetching] = useState(false)
  const title = collection?.name ?? t(`part.${search.in ?? 'all'}`)
  useTitle(collection ? title : t('title'))
  useSlash(field)

  const show = (change: Partial<DocumentsSearch>) =>
    void navigate({ to: links.documents(), search: { ...search, ...change } as never, replace: true })
  // Into a collection of somebody else, or a part of chats, nothing can be put: it goes into the library.
  const into = collection && !collection.shared ? collection : null
  const take: OnDropped = (files, missed) => addFiles(files, into?.id ?? null, missed)
  const selected = list.documents.filter(({ id }) => selection.ids.has(id))
  const panelProps = { search, collections, onAsk: setAsked }
  const addProps = { onFiles: take, onPage: () => setFetching(true) }
  return (
    <div className="relative flex h-full min-h-0">
      {!tight && (
        <div className="w-60 shrink-0 overflow-y-auto border-e border-line bg-canvas/60">
          <CollectionPanel {...panelProps} />
        </div>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex flex-col gap-3 px-4 pt-4 pb-3 tab:px-6">
          <div className="flex flex-wrap items-center gap-2">
            <h1
              dir="auto"
              className="min-w-0 flex-1 truncate text-xl font-semibold tracking-tight max-tab:w-full max-tab:flex-none"
            >
              {title}
            </h1>
            {tight && (
              <Button className="me-auto" icon={<PanelLeft className="size-4" />} onClick={() => setPanel(true)}>
                {t('collection.title')}
              </Button>
            )}
            {collection && !collection.shared && (
              <>
                <Button icon={<Share2 className="size-4" />} onClick={() => setAsked({ what: 'share', collection })}>
                  {t('collection.share')}
                </Button>
                <CollectionMenu collection={collection} onAsk={setAsked} />
              </>
            )}
            <AddButton label={t('upload.add')} {...addProps} />
          </div>
          {collection?.ownerName && (
            <p className="flex items-center gap-1.5 text-muted">
              <FolderClosed aria-hidden className="size-4" />
              {t('collection.readOnly', { name: collection.ownerName })}
            </p>
          )}
          <Controls search={search} show={show} field={field} phone={tight} />
          {selected.length > 0 && (
            <SelectionBar documents={selected} collections={collections} onDone={() => selection.set([])} />
          )}
        </header>
        <DocumentList
          search={search}
          show={show}
          list={list}
          jobs={jobs}
          collections={collections}
          selection={selection}
          phone={tight}
          add={<AddButton label={t('upload.addDocuments')} {...addProps} />}
          ownCollection={into !== null}
        />
      </div>
      <UploadTray />
      <DropArea into={into?.name ?? t('part.library')} onFiles={take} />
      {fetching && <FetchDialog collectionId={into?.id ?? null} onClose={() => setFetching(false)} />}
      {tight && (
        <Sheet open={panel} onOpenChange={setPanel} title={t('collection.nav')} side="start">
          <CollectionPanel {...panelProps} onDone={() => setPanel(false)} />
        </Sheet>
      )}
      <CollectionDialogs
        asked={asked}
        onClose={() => setAsked(null)}
        onMade={({ id }) => void navigate({ to: links.documents({ collection: id }) })}
        onRemoved={({ id }) => id === search.collection && void navigate({ to: links.documents() })}
      />
    </div>
  )
}

/** `/` goes to the field for names. */
function useSlash(field: React.RefObject<HTMLInputElement | null>): void {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || takesText(event.target)) return
      if (document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [field])
}
