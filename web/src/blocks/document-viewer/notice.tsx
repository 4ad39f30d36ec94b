import { type DocumentText, documentsRoutes } from '@atrium/contract/documents'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert, ScanText } from 'lucide-react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toaster.tsx'
import { DocumentFailureText } from '../document-state/state.tsx'
import { useText } from 'virtual:words/document-viewer'

/** Why there is no text yet, or never will be, or only some of it. */
export function DocumentNotice({ document }: { document: DocumentText }) {
  const t = useText('document-viewer')
  const retry = useMutation({
    mutationFn: () => call(documentsRoutes.retry, { params: { documentId: document.id } }),
    onSuccess: () => refresh(documentsRoutes.read, { params: { documentId: document.id } }),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const readPrint = useMutation({
    mutationFn: () => call(documentsRoutes.readPrint, { params: { documentId: document.id } }),
    onSuccess: () => refresh(documentsRoutes.read, { params: { documentId: document.id } }),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  if (document.processingStatus === 'completed')
    return (
      <>
        {document.readBy === 'builtin' && <ReadByBuiltin />}
        <PartlyRead document={document} />
      </>
    )
  if (document.processingStatus === 'failed') {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-2.5 border-b border-line bg-danger-soft px-4 py-2.5">
        <CircleAlert aria-hidden className="size-4 shrink-0 text-danger-ink" />
        <DocumentFailureText document={document} className="min-w-48 flex-1" />
        {!document.shared && document.processingErrorCode === 'vision_failed' && (
          <Button size="small" busy={readPrint.isPending} onClick={() => readPrint.mutate()}>
            {t('readPrint')}
          </Button>
        )}
        {!document.shared && (
          <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
            {t('retry')}
          </Button>
        )}
      </div>
    )
  }
  return (
    <p role="status" className="flex items-center gap-2.5 border-b border-line bg-info-soft px-4 py-2.5 text-info-ink">
      <Spinner size={14} />
      {t('stillReading')}
    </p>
  )
}

function ReadByBuiltin() {
  const t = useText('document-viewer')
  return (
    <p className="flex items-center gap-2.5 border-b border-line bg-info-soft px-4 py-2.5 text-info-ink">
      <ScanText aria-hidden className="size-4 shrink-0" />
      {t('readByBuiltin')}
    </p>
  )
}

function PartlyRead({ document }: { document: DocumentText }) {
  const t = useText('document-viewer')
  const { parts, partsRead } = document
  const readOn = useMutation({
    mutationFn: () => call(documentsRoutes.readOn, { params: { documentId: document.id } }),
    onSuccess: () => refresh(documentsRoutes.read, { params: { documentId: document.id } }),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  if (parts === null || partsRead === null || partsRead >= parts) return null
  return (
    <div role="status" className="flex flex-wrap items-center gap-2.5 border-b border-line bg-warn-soft px-4 py-2.5">
      <CircleAlert aria-hidden className="size-4 shrink-0 text-warn-ink" />
      <p className="min-w-48 flex-1">
        {t('partlyRead', { count: parts, read: formatNumber(partsRead), all: formatNumber(parts) })}{' '}
        {!document.canReadOn && t('restUnreadable')}
      </p>
      {document.canReadOn && (
        <Button size="small" busy={readOn.isPending} onClick={() => readOn.mutate()}>
          {t('readOn')}
        </Button>
      )}
    </div>
  )
}
