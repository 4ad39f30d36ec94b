/** Where the sign-in of an account is missing, the person is asked, and the call goes on. */
import type { ToolQuestions } from '../../../core/tools/index.ts'
import { type RefusalCause, SignInNeeded } from './failure.ts'

/**
 * Runs a call. Where a sign-in is missing or does not suffice, the person is asked, once for each of the two, and the call
 * is made again. Throws SignInNeeded where the person did not sign in.
 */
export const retryAfterSignIn = async <T>(
  serverId: string,
  ask: ToolQuestions['ask'],
  work: () => Promise<T>,
): Promise<T> => {
  const asked = new Set<RefusalCause>()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SignInNeeded) || asked.has(error.why)) throw error
      asked.add(error.why)
      if ((await ask({ kind: 'sign-in', serverId, message: error.message })) === null) throw error
    }
  }
}
