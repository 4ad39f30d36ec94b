/** The header by which Anthropic's clients name the betas that a request needs. Pure. */
import { fail } from '../../../platform/http/refusal.ts'

const header = 'anthropic-beta'
/** Real clients name a dozen; what is longer is no list of betas. */
const longest = 2048
const names = /^[A-Za-z0-9._-]{1,100}(?:,[A-Za-z0-9._-]{1,100})*$/

/**
 * The betas header for a provider of Anthropic's format: names joined by commas, as given. Refuses
 * what is no name of a beta, so that nothing else is passed on.
 */
export const betaHeaders = (given: string | null): Readonly<Record<string, string>> => {
  const list = (given ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .join(',')
  if (list === '') return {}
  if (list.length > longest || !names.test(list)) {
    throw fail('validation_failed', undefined, [
      { path: `headers.${header}`, message: `must name betas, joined by commas, in ${longest} characters at most` },
    ])
  }
  return { [header]: list }
}
