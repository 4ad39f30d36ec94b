import { documentsRoutes } from '@atrium/contract/documents'
import { call } from '../../../api/client.ts'
import { shortAddress } from '../../../lib/address.ts'
import type { DraftBox } from '../draft.ts'

/** Has the server read a page of the web for the next question. */
export function bringPage(draft: DraftBox, url: string): void {
  draft.bring(shortAddress(url), (sessionId, signal) =>
    call(documentsRoutes.fetchUrl, { body: { url, sessionId } }, { signal }),
  )
}
