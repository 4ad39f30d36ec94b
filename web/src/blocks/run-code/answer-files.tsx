import type { ToolCall } from '@atrium/contract/generation'
import { toRequest } from '@atrium/contract/request'
import { toolsRoutes } from '@atrium/contract/tools'
import { MadeFiles } from './made-files.tsx'

/** What the programs of an answer made for the person; the page of a reader shows none. */
export function AnswerFiles({ calls }: { calls: readonly ToolCall[] }) {
  const files = calls.flatMap(({ name, source, recordId, result }) =>
    name === 'run_code' && source === 'builtin' && recordId !== undefined
      ? (result?.media ?? []).map((file) => ({
          ...file,
          path: toRequest(toolsRoutes.callMedia, { params: { recordId, index: file.index } }).path,
        }))
      : [],
  )
  return (
    <div className="mt-3 text-sm empty:hidden">
      <MadeFiles files={files} />
    </div>
  )
}
