import type { ToolCall } from '@atrium/contract/generation'
import { CallContent } from './call-content.tsx'
import { ResultView } from './result-view.tsx'

/** What a tool was called with, what it changes, and what came of it. */
export function CallDetails({ call }: { call: ToolCall }) {
  const { arguments: args, result, recordId, serverId } = call
  return (
    <CallContent call={call}>
      {result && <ResultView result={result} recordId={recordId} serverId={serverId} args={args} />}
    </CallContent>
  )
}
