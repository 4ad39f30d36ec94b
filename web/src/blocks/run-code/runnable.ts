import { type CodeLanguage, codeInterpreterRoutes as routes } from '@atrium/contract/code-interpreter'
import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { queryOf } from '../../api/query.ts'
import { useAfterFirstView } from '../../lib/first-view.ts'
import { RunContext } from './context.ts'

const languages: Readonly<Record<string, CodeLanguage>> = { javascript: 'javascript', python: 'python' }

/** More is not taken by the server. */
const mostLetters = 100_000

export interface Runnable {
  readonly chatId: string
  readonly language: CodeLanguage
}

/** What running a block of code takes; null where it can’t be run, or nobody knows yet. `language`: its canonical name. */
export function useRunnable(language: string | null, code: string, closed: boolean): Runnable | null {
  const place = use(RunContext)
  const known = languages[language ?? '']
  const fits = place !== null && known !== undefined && closed && code.length > 0 && code.length <= mostLetters
  const enabled = useAfterFirstView() && fits
  const { data } = useQuery({ ...queryOf(routes.access), staleTime: 300_000, enabled })
  return fits && data?.allowed ? { chatId: place.chatId, language: known } : null
}
