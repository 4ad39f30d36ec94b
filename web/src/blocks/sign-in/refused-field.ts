import { codeOf, isAboutPassword, Problem } from '../../api/errors.ts'

/** Which field of a new account a refusal is about. */
export function refusedField(error: unknown): 'username' | 'email' | 'password' | null {
  const code = codeOf(error)
  if (code === 'username_taken' || code === 'username_scripts') return 'username'
  if (code === 'email_taken') return 'email'
  if (isAboutPassword(error)) return 'password'
  const name = error instanceof Problem ? error.fields[0]?.path.split('.').at(-1) : undefined
  return name === 'username' || name === 'email' || name === 'password' ? name : null
}
