/** The body of an answer: counted, and every way it can break off in our words. */
import type { Dispatcher } from 'undici'
import { asFailure } from './failures.ts'
import { OutboundFailure, type OutboundRequest, type OutboundResponse } from './types.ts'

/** Wraps an answer whose body nobody has read yet. */
export const readBody = (answer: Dispatcher.ResponseData, request: OutboundRequest): OutboundResponse => {
  const announced = Number(answer.headers['content-length'] ?? 0)
  if (announced > request.maxBytes) {
    answer.body.destroy()
    throw tooLarge()
  }
  const body = counted(answer.body, request)
  return {
    status: answer.statusCode,
    headers: plainHeaders(answer.headers),
    body,
    async text() {
      const decoder = new TextDecoder()
      let text = ''
      for await (const chunk of body) text += decoder.decode(chunk, { stream: true })
      return text + decoder.decode()
    },
    discard: () => void answer.body.destroy(),
  }
}

const tooLarge = () => new OutboundFailure('too-large', 'The answer is larger than allowed.')

async function* counted(body: Dispatcher.ResponseData['body'], request: OutboundRequest): AsyncGenerator<Uint8Array> {
  let received = 0
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      received += chunk.byteLength
      if (received > request.maxBytes) throw tooLarge()
      yield chunk
    }
  } catch (error) {
    throw asFailure(error, request.signal)
  } finally {
    // Reached when the reader stops early as well: an unread body would hold its socket.
    body.destroy()
  }
}

const plainHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> => {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}
