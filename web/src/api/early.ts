/** Requests that `public/early.js` began before the app was there. */

declare global {
  var earlyAnswers: Map<string, Promise<Response>> | undefined
}

/** The answer to a request that was begun already; it is given once. */
export function takeEarly(path: string, method: string): Promise<Response> | undefined {
  const answer = method === 'GET' ? globalThis.earlyAnswers?.get(path) : undefined
  if (answer) globalThis.earlyAnswers?.delete(path)
  return answer
}
