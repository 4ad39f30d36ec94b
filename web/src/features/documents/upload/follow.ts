/** What becomes of uploaded files: read, or failed with a reason. */
import { type Document, documentsRoutes } from '@atrium/contract/documents'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { translate } from '../../../lib/texts.ts'
import { toast } from '../../../ui/toaster.tsx'
import { changeUpload, isUnderWay, useQueue } from './queue.ts'

const pageSize = 200
const mostPages = 50
let timer: ReturnType<typeof setTimeout> | undefined

/** Uploads whose documents are not read yet, by the id of the document. */
const reading = () =>
  new Map(
    useQueue
      .getState()
      .items.flatMap((item) => (item.state === 'reading' && item.document ? [[item.document.id, item.key]] : [])),
  )

function look(ms: number): void {
  timer ??= setTimeout(() => {
    timer = undefined
    void settle()
      .catch(() => undefined) // No connection: tried again like every look.
      .finally(() => reading().size > 0 && look(3000))
  }, ms)
}

/** The newest documents are read page by page, until all that are waited for were seen. */
async function settle(): Promise<void> {
  const waiting = reading()
  let cursor: string | undefined
  for (let page = 0; page < mostPages && waiting.size > 0; page++) {
    const found = await call(documentsRoutes.list, { query: { limit: pageSize, cursor } })
    for (const document of found.items) {
      const key = waiting.get(document.id)
      if (key === undefined) continue
      waiting.delete(document.id)
      take(key, document)
    }
    if (!found.nextCursor) {
      // Deleted meanwhile, by somebody who looked at the list.
      for (const key of waiting.values()) changeUpload(key, { state: 'done' })
      break
    }
    cursor = found.nextCursor
  }
  announceEnd()
}

function take(key: string, document: Document): void {
  const { processingStatus: status } = document
  changeUpload(key, {
    document,
    ...(status === 'completed' ? { state: 'done' } : status === 'failed' ? { state: 'failed' } : {}),
  })
}

let shown = 0
let told = true

/** The tray is on screen from now on; gives what to call when it is not any more. */
export function markTrayShown(): () => void {
  shown++
  return () => void shown--
}

function announceEnd(): void {
  const { items } = useQueue.getState()
  if (items.some((item) => isUnderWay(item) || item.state === 'reading')) return
  const failed = items.filter(({ state }) => state === 'failed' || state === 'refused').length
  const done = items.filter(({ state }) => state === 'done').length
  if (told) return
  told = true
  // Where the tray can be seen, it says so itself.
  if (shown > 0 || done + failed === 0) return
  const words = [
    translate('documents:upload.endDone', { count: done }),
    failed > 0 && translate('documents:upload.endFailed', { count: failed }),
  ]
  toast(words.filter(Boolean).join(' '), failed > 0 ? { tone: 'danger', ms: 15_000 } : {})
}

useQueue.subscribe(({ items }, before) => {
  if (items === before.items) return
  if (items.some(isUnderWay)) told = false
  if (items.some(({ state }) => state === 'reading')) look(1500)
})
onAccountEvent('document-changed', ({ id }) => reading().has(id) && look(300))
