/** Gemini's generateContent: server-sent events without an end mark; the last one holds a reason. */
import type { Wire } from '../types.ts'
import { createGeminiReader } from './gemini-reader.ts'
import { toGenerateRequest } from './gemini-request.ts'

export const gemini: Wire = {
  id: 'gemini',
  framing: 'sse',
  path: '/models/{model}:generateContent',
  address,
  say: toGenerateRequest,
  reader: createGeminiReader,
}

/** Takes `…/models/{model}:generateContent`, or a base without the operation. */
function address(route: string, model: string): string {
  const url = new URL(route)
  const name = model
    .replace(/^models\//, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/')
  let path = url.pathname.replace(/\/+$/, '')
  if (!/:(stream)?generateContent$/i.test(path)) path += gemini.path
  url.pathname = path
    .replace(/(\{|%7B)model(\}|%7D)/gi, () => name)
    .replace(/:generateContent$/i, ':streamGenerateContent')
  url.searchParams.set('alt', 'sse')
  return url.href
}
