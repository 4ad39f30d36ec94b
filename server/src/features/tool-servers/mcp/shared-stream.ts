/** The stream on which an older server tells and answers everything: it belongs to a connection, and its bytes to what is asked just then. */
import type { GatedFetch } from '../kind.ts'

/** Whether a request opens one. What goes on where another stream broke off belongs to a question, as that did. */
export const opensSharedStream = (init: RequestInit = {}): boolean => {
  const headers = new Headers(init.headers)
  return (
    (init.method ?? 'GET').toUpperCase() === 'GET' &&
    headers.get('accept') === 'text/event-stream' &&
    !headers.has('last-event-id')
  )
}

/** Fetches one, and tells how many bytes come. */
export const countingStream =
  (fetch: GatedFetch, spend: (bytes: number) => void): GatedFetch =>
  async (url, init) => {
    const response = await fetch(url, init)
    if (!response.body) return response
    const { status, headers } = response
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        spend(piece.byteLength)
        controller.enqueue(piece)
      },
    })
    return new Response(response.body.pipeThrough(counted), { status, headers })
  }

/** Shares bytes between the questions that may have caused them: which of several it was, nobody can tell. */
export const spendOn = (questions: ReadonlySet<{ readonly spend: (bytes: number) => void }>, bytes: number): void => {
  for (const { spend } of [...questions]) spend(bytes / questions.size)
}
