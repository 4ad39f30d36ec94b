import { type CodeFile, codeInterpreterRoutes as routes } from '@atrium/contract/code-interpreter'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Eye, FileBox, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { call } from '../../api/client.ts'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { announce } from '../../lib/announce.ts'
import { formatAgo, formatSize } from '../../lib/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toaster.tsx'
import { saveFrom } from '../save-file.ts'
import { contentPath } from './content-path.ts'
import { useText } from 'virtual:words/run-code'

const FileDialog = lazy(() => import('./file-dialog.tsx').then((module) => ({ default: module.FileDialog })))

/** What programs keep for the later ones of a chat. */
export function KeptFiles({ chatId }: { chatId: string }) {
  const t = useText('run-code')
  const files = useQuery({ ...queryOf(routes.files, { query: { chatId } }), staleTime: 0 })
  if (files.isPending) return <Skeleton lines={4} />
  if (files.isError) {
    return (
      <ErrorCard title={t('kept.notLoaded')} details={detailsOf(files.error)} onRetry={() => void files.refetch()}>
        {wordsOf(files.error)}
      </ErrorCard>
    )
  }
  const kept = files.data.items.filter(({ folder }) => folder === 'keep')
  if (kept.length === 0)
    return (
      <EmptyState icon={<FileBox />} title={t('kept.nothing')}>
        {t('kept.nothingText')}
      </EmptyState>
    )
  const used = kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return (
    <section aria-label={t('kept.title')} className="flex flex-col gap-3">
      <p className="text-sm text-muted">{t('kept.lead')}</p>
      <p className="text-sm">{t('kept.used', { used: formatSize(used) })}</p>
      <ul
        aria-label={t('kept.title')}
        className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised"
      >
        {kept.map((file) => (
          <KeptFile key={file.id} file={file} />
        ))}
      </ul>
    </section>
  )
}

/** One file: it is opened, saved or deleted. */
export function KeptFile({ file, children }: { file: CodeFile; children?: ReactNode }) {
  const t = useText('run-code')
  const [open, setOpen] = useState(false)
  const { id, name, sizeBytes, createdAt } = file
  const remove = useMutation({
    mutationFn: () => call(routes.removeFile, { params: { fileId: id } }),
    onSuccess: async () => {
      announce(t('kept.deleted', { name }))
      await Promise.all([refresh(routes.files), refresh(routes.kept)])
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <li className="flex flex-wrap items-center gap-1 py-1.5 ps-3.5 pe-1.5">
      <div className="min-w-32 flex-1">
        <p dir="ltr" className="truncate text-start font-medium">
          {name}
        </p>
        <p className="text-sm text-muted">
          {formatSize(sizeBytes)} · {formatAgo(createdAt)}
        </p>
      </div>
      {children}
      <IconButton label={t('kept.open', { name })} icon={<Eye />} size="small" onClick={() => setOpen(true)} />
      <IconButton
        label={t('kept.download', { name })}
        icon={<Download />}
        size="small"
        onClick={() => saveFrom(contentPath(file))}
      />
      <IconButton
        label={t('kept.delete', { name })}
        icon={<Trash2 />}
        size="small"
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
      />
      {open && (
        <Suspense>
          <FileDialog file={file} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </li>
  )
}
