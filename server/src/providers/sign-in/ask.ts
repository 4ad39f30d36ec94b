/** A call with the server's sign-in: once more with fresh tokens when the first ones are refused, and then no more. */
import { type Part, ProviderFailure } from '../types.ts'
import type { SignIn } from './index.ts'

/** `run` makes the call; nothing of a refused one was heard of, so that a second one repeats nothing. */
export async function* askSignedIn(
  signIn: Pick<SignIn, 'headers' | 'refreshed'>,
  run: (headers: Record<string, string>) => AsyncIterable<readonly Part[]>,
): AsyncGenerator<readonly Part[]> {
  const headers = await signIn.headers()
  let heard = false
  try {
    for await (const parts of run(headers)) {
      heard = true
      yield parts
    }
    return
  } catch (error) {
    const refused = error instanceof ProviderFailure && error.status === 401 && !heard
    if (!refused || !(await signIn.refreshed(headers))) throw error
  }
  yield* run(await signIn.headers())
}
