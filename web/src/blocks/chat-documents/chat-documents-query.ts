/** The documents of a chat as they stand, and how they follow what happens to them. */
import { type Document, documentsRoutes } from '@atrium/contract/documents'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { useQuery } from '@tanstack/react-query'
import { onAccountEvent } from '../../api/account-events.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { type Stage, stageOf } from '../document-state/stage.ts'

/** Every document of a chat, up to two hundred. */
export const chatDocumentsQuery = (sessionId: string) =>
  queryOf(documentsRoutes.ofSession, { params: { sessionId }, query: { limit: 200 } })

/** How far a document is, followed while it is on screen. */
export function useStage(document: Document): Stage {
  const { processingStatus: status, jobId } = document
  const reading = jobId !== null && (status === 'queued' || status === 'processing')
  const job = useQuery({
    ...queryOf(durableJobsRoutes.read, { params: { id: jobId ?? '' } }),
    enabled: reading,
    retry: false,
  })
  return stageOf(document, reading ? job.data : undefined, Date.now())
}

let timer: ReturnType<typeof setTimeout> | undefined

/** A burst of changes is read once. */
function soon(): void {
  timer ??= setTimeout(() => {
    timer = undefined
    void refresh(documentsRoutes.ofSession)
  }, 250)
}
onAccountEvent('document-changed', soon)
onAccountEvent('document-removed', soon)
onAccountEvent('job-changed', ({ id }) => void refresh(durableJobsRoutes.read, { params: { id } }))
