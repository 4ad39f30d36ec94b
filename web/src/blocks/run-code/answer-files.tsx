import { codeInterpreterRoutes as routes } from '@atrium/contract/code-interpreter'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/query.ts'
import { useAfterFirstView } from '../../lib/first-view.ts'
import { MadeFiles } from './made-files.tsx'

/** What the programs of an answer made for the person. */
export function AnswerFiles({ chatId, answerId }: { chatId: string; answerId: string }) {
  const { data } = useQuery({ ...queryOf(routes.files, { query: { chatId, answerId } }), enabled: useAfterFirstView() })
  if (!data || data.items.length === 0) return null
  return (
    <div className="mt-3 text-sm">
      <MadeFiles files={data.items} />
    </div>
  )
}
