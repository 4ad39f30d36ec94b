import { documentsRoutes } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, Ellipsis, FileSearch, MessageSquarePlus, MessageSquareQuote, TextSelect } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { queryOf } from '../../api/query.ts'
import { DocumentViewer } from '../../blocks/document-viewer/document-viewer.tsx'
import { links } from '../../lib/links.ts'
import { usePhone } from '../../lib/media.ts'
import { useTitle } from '../../lib/title.ts'
import { WindowComing } from '../../ui/early-keys.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { type PassageSearch, rangesOf } from './search.ts'
import { useText } from 'virtual:words/documents'

const QuestionDialog = lazy(() =>
  import('./question-dialog.tsx').then((module) => ({ default: module.QuestionDialog })),
)
const PassagesDialog = lazy(() =>
  import('./passages-dialog.tsx').then((module) => ({ default: module.PassagesDialog })),
)
const UsedInDialog = lazy(() => import('./used-in-dialog.tsx').then(({ UsedInDialog }) => ({ default: UsedInDialog })))

/** `/documents/<id>`: one document, at a passage where the address names one. */
export function DocumentPage() {
  const t = useText('documents')
  const navigate = useNavigate()
  const { documentId = '' } = useParams({ strict: false }) as { documentId?: string }
  const { from, to, page, keys } = useSearch({ strict: false }) as PassageSearch
  // The viewer loads it; this only listens for the name.
  const { data } = useQuery({ ...queryOf(documentsRoutes.read, { params: { documentId } }), enabled: false })
  useTitle(data?.filename ?? t('title'))
  const [window, setWindow] = useState<'question' | 'passages' | 'used-in' | null>(null)
  const close = () => setWindow(null)
  const marked = useMemo(() => rangesOf(keys), [keys])
  const phone = usePhone()
  const isReady = data?.processingStatus === 'completed'
  const actions = [
    isReady && { label: t('testQuestion'), icon: <FileSearch />, run: () => setWindow('question') },
    isReady && {
      label: t('ask'),
      icon: <MessageSquarePlus />,
      run: () => void navigate({ to: links.askDocument(data) }),
    },
    data && { label: t('passages.title'), icon: <TextSelect />, run: () => setWindow('passages') },
    data && { label: t('usedIn.title'), icon: <MessageSquareQuote />, run: () => setWindow('used-in') },
  ].filter((action) => action !== false && action !== undefined)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <h1 className="sr-only">{data?.filename ?? t('title')}</h1>
      <div className="min-h-0 flex-1">
        <DocumentViewer
          documentId={documentId}
          target={{ startChar: from, endChar: to, page, keys: marked }}
          lead={
            <nav aria-label={t('back')} className="shrink-0">
              <Link
                to={links.documents()}
                className="hit inline-flex h-control items-center gap-1.5 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-ink"
              >
                <ArrowLeft aria-hidden className="size-4" />
                <span className="max-tab:sr-only">{t('title')}</span>
              </Link>
            </nav>
          }
          tools={
            phone && actions.length > 0 ? (
              // The name needs the room.
              <Menu trigger={<IconButton label={t('actions')} icon={<Ellipsis />} />}>
                {actions.map(({ label, icon, run }) => (
                  <MenuItem key={label} icon={icon} onSelect={run}>
                    {label}
                  </MenuItem>
                ))}
              </Menu>
            ) : (
              actions.map(({ label, icon, run }) => <IconButton key={label} label={label} icon={icon} onClick={run} />)
            )
          }
        />
      </div>
      {window !== null && data && (
        <Suspense fallback={<WindowComing onClose={close} />}>
          {window === 'question' && <QuestionDialog document={data} onClose={close} />}
          {window === 'passages' && <PassagesDialog document={data} onClose={close} />}
          {window === 'used-in' && <UsedInDialog documentId={data.id} onClose={close} />}
        </Suspense>
      )}
    </div>
  )
}
