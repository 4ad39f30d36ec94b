import { type FieldNote, fieldNotesRoutes } from '@atrium/contract/field-notes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Shapes, Plus } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { pagesOf } from '../../api/pages.ts'
import { PagedList } from '../../blocks/paged-list.tsx'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useText } from 'virtual:words/field-notes'
import { removeFieldNote } from './changes.ts'
import { FieldNoteRow } from './row.tsx'
import { TitleDialog } from './title-dialog.tsx'

const ShareDialog = lazy(() =>
  import('../../blocks/share/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })),
)

/** The window that is open, and the field note that it is about; none for a new one. */
type Asked = { what: 'title'; fieldNote: FieldNote | null } | { what: 'share'; fieldNote: FieldNote } | null

/** `/field-notes`: the own ones and those of others, newest first. */
export function FieldNotesPage() {
  const t = useText('field-notes')
  useTitle(t('title'))
  const heading = useRef<HTMLHeadingElement>(null)
  const [asked, setAsked] = useState<Asked>(null)
  const list = useInfiniteQuery(pagesOf(fieldNotesRoutes.list, { query: { limit: 50 } }))
  const fieldNotes = list.data ?? []
  const close = () => setAsked(null)
  const remove = async (fieldNote: FieldNote) => {
    await removeFieldNote(fieldNote)
    // The menu that had the focus is gone.
    heading.current?.focus()
  }
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="mx-auto flex w-full max-w-text flex-col gap-4 px-4 py-6">
        <header className="flex flex-wrap items-center gap-3">
          <h1 ref={heading} tabIndex={-1} className="min-w-0 flex-1 text-xl font-semibold tracking-tight outline-none">
            {t('title')}
          </h1>
          <Button
            tone="primary"
            icon={<Plus className="size-4" />}
            onClick={() => setAsked({ what: 'title', fieldNote: null })}
          >
            {t('new')}
          </Button>
        </header>
        <PagedList
          pages={list}
          label={t('title')}
          failed={t('failed')}
          empty={
            <EmptyState icon={<Shapes />} title={t('nothing')}>
              {t('nothingText')}
            </EmptyState>
          }
        >
          {fieldNotes.map((fieldNote) => (
            <FieldNoteRow
              key={fieldNote.id}
              fieldNote={fieldNote}
              onRename={() => setAsked({ what: 'title', fieldNote })}
              onShare={() => setAsked({ what: 'share', fieldNote })}
              onRemove={() => void remove(fieldNote)}
            />
          ))}
        </PagedList>
      </div>
      {asked?.what === 'title' && <TitleDialog fieldNote={asked.fieldNote} onClose={close} />}
      {asked?.what === 'share' && (
        <Suspense>
          <ShareDialog
            resourceType="field-note"
            resourceId={asked.fieldNote.id}
            name={asked.fieldNote.title}
            onClose={close}
          />
        </Suspense>
      )}
    </div>
  )
}
