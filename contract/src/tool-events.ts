/** What is told of calls of tools, put together. It imports no schema, so that browsers get no more than this. */
import type { AnswerEvent, ToolCall } from './generation.ts'

/** The calls with what an event says of one; a call that comes again keeps its place. */
export function applyToolEvent(
  calls: readonly ToolCall[],
  event: Extract<AnswerEvent, { type: 'tool-call' | 'tool-result' | 'approval' }>,
): ToolCall[] {
  const id = event.type === 'tool-call' ? event.data.id : event.data.callId
  const change =
    event.type === 'tool-call'
      ? event.data
      : event.type === 'tool-result'
        ? { result: event.data.result }
        : { approval: event.data.approval }
  const known = calls.some((call) => call.id === id)
  if (known) return calls.map((call) => (call.id === id ? { ...call, ...change } : call))
  return event.type === 'tool-call' ? [...calls, event.data] : [...calls]
}
