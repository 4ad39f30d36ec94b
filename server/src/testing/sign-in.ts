/** The answer of a sign-in that asked for nothing more; fails the test otherwise. */
export const signedIn = <A>(answer: A): Extract<A, { token: string }> => {
  const given = answer as object
  if (!('token' in given)) throw new Error(`No session began: ${JSON.stringify(answer)}`)
  return answer as Extract<A, { token: string }>
}
