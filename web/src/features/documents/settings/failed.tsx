import { type Document, documentsRoutes } from '@atrium/contract/documents'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { DocumentFailureText } from '../../../blocks/document-state/state.tsx'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/documents-settings'

const few = 20

/** The documents that could not be read, each with its reason and what helps. */
export function FailedDocuments() {
  const t = useText('documents-settings')
  const failed = useQuery({
    ...queryOf(documentsRoutes.list, { query: { status: 'failed', limit: few } }),
    staleTime: 5000,
  })
  return (
    <section id="failedDocuments" className="-mx-3 mt-8 rounded-lg px-3">
      <Group title={t('failed.title')} text={t('failed.text')}>
        <QueryView query={failed}>
          {({ items, nextCursor }) =>
            items.length === 0 ? (
              <p className="flex items-center gap-2 py-3 text-muted">
                <CircleCheck aria-hidden className="size-4 text-ok-ink" />
                {t('failed.none')}
              </p>
            ) : (
              <>
                <ul className="divide-y divide-line">
                  {items.map((document) => (
                    <FailedRow key={document.id} document={document} />
                  ))}
                </ul>
                {nextCursor && (
                  <Button asChild size="small" className="mt-2">
                    <Link to={links.documents({ status: 'failed' })}>{t('failed.all')}</Link>
                  </Button>
                )}
              </>
            )
          }
        </QueryView>
      </Group>
    </section>
  )
}

/** The setting on this page that helps, where one does. */
const helpful: Partial<Record<NonNullable<Document['processingErrorCode']>, string>> = {
  needs_vision: 'visionModel',
  vision_failed: 'visionModel',
  needs_speech: 'speechModel',
  speech_failed: 'speechModel',
}

function FailedRow({ document }: { document: Document }) {
  const t = useText('documents-settings')
  const retry = useMutation({
    mutationFn: () => call(documentsRoutes.retry, { params: { documentId: document.id } }),
    onSuccess: () => refresh(documentsRoutes.list),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const readPrint = useMutation({
    mutationFn: () => call(documentsRoutes.readPrint, { params: { documentId: document.id } }),
    onSuccess: () => refresh(documentsRoutes.list),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const setting = helpful[document.processingErrorCode ?? 'internal']
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5">
      <div className="min-w-52 flex-1">
        <Link to={links.document(document.id)} className="block truncate font-medium hover:underline">
          <bdi>{document.filename}</bdi>
        </Link>
        <DocumentFailureText document={document} className="block text-sm text-muted" />
      </div>
      {setting && (
        <Button asChild size="small" tone="quiet">
          <Link to={links.settings('documents')} hash={setting}>
            {t(`failed.${setting}`)}
          </Link>
        </Button>
      )}
      {document.processingErrorCode === 'vision_failed' && (
        <Button size="small" busy={readPrint.isPending} onClick={() => readPrint.mutate()}>
          {t('failed.readPrint')}
        </Button>
      )}
      <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
        {t('failed.retry')}
      </Button>
    </li>
  )
}
