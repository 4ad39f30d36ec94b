/**
 * Follows work that tells how far it is: the newest news each time, as older ones are of no interest any more, and its
 * result at the end. Throws what the work throws.
 */
export async function* followNewest<T, R>(begin: (tell: (news: T) => void) => Promise<R>): AsyncGenerator<T, R> {
  const news: T[] = []
  let wake: () => void = () => undefined
  const work = begin((value) => {
    news[0] = value
    wake()
  })
  let isOver = false
  const end = (): void => void (isOver = true)
  const over = work.then(end, end)
  while (!isOver) {
    // Some may have come while the last ones were being looked at.
    if (news.length === 0) await Promise.race([over, new Promise<void>((resolve) => (wake = resolve))])
    const newest = news.splice(0)
    if (!isOver) yield* newest
  }
  return await work
}
