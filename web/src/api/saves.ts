/**
 * Saves of forms that store each change by itself. Two saves of one thing never overtake each other: they are sent one
 * after the other, in the order of the clicks, so that what was said last is what stays.
 */
import type { Answer, Route } from '@atrium/contract/route'
import { keyOf, queryClient } from './query.ts'

const last = new Map<string, Promise<unknown>>()

/** Runs `work` once all that was begun before under the same name has ended, well or not. Throws what `work` throws. */
export function runInTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(name)
  const mine = before ? before.then(work, work) : work()
  last.set(name, mine)
  const forget = () => void (last.get(name) === mine && last.delete(name))
  mine.then(forget, forget)
  return mine
}

/** Waits until what was begun under a name has ended, well or not: for what must find it done on the server. */
export async function savesDone(name: string): Promise<void> {
  await last.get(name)?.catch(() => {})
}

/** The name under which everything about one chat is saved: its model, title and settings. */
export const savesOfChat = (id: string): string => `chat ${id}`

/** The name under which everything is saved that a route reads. */
export const savesOf = ({ method, path }: Route): string => `${method} ${path}`

/**
 * Saves a change of what a route reads, in turn, and shows what the server answers. `save` gets what the server answered
 * last: a list or form that can only be sent whole is made from that, never from what stood on the page at the click.
 */
export function saveInTurn<R extends Route, A extends Answer<R>>(
  read: R,
  save: (latest: Answer<R> | undefined) => Promise<A>,
): Promise<A> {
  const queryKey = keyOf(read)
  return runInTurn(savesOf(read), async () => {
    const stored = await save(queryClient.getQueryData<Answer<R>>(queryKey))
    // A read that began before the save would bring back what it replaced.
    void queryClient.cancelQueries({ queryKey, exact: true })
    queryClient.setQueryData(queryKey, stored)
    return stored
  })
}
