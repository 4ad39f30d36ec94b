/** Work that is heard of while it goes on, as one row of things: all its news, then what came of it. */
export type WorkStep<N, R> = { readonly news: N } | { readonly result: R }

/** Throws what the work throws, after its last news. Whoever leaves the row has to end the work. */
export async function* followWork<N, R>(
  work: (heard: (news: N) => void) => Promise<R>,
): AsyncGenerator<WorkStep<N, R>, void> {
  const waiting: N[] = []
  let changed = Promise.withResolvers<void>()
  let over = false
  const done = work((news) => {
    waiting.push(news)
    changed.resolve()
  })
  const end = (): void => {
    over = true
    changed.resolve()
  }
  done.then(end, end)
  for (;;) {
    for (const news of waiting.splice(0)) yield { news }
    if (waiting.length > 0) continue
    if (over) break
    await changed.promise
    changed = Promise.withResolvers()
  }
  yield { result: await done }
}
