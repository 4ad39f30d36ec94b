/** The tools of one answer: what its model is told of, and the calls that it makes. */
import type { ToolSpec } from '../../providers/types.ts'
import type { CatalogItem } from './catalogue.ts'
import type { ToolsContext } from './context.ts'
import { mostResultLetters } from './rules.ts'
import { runCall } from './run-call.ts'
import { openToldTools } from './told-tools.ts'
import type { Toolkit, ToolkitRequest } from './types.ts'

export const createToolkit = async (
  deps: ToolsContext,
  request: ToolkitRequest,
  tools: readonly CatalogItem[],
): Promise<Toolkit> => {
  const told = await openToldTools(deps, request, tools)

  return {
    specs: () => told.list().map(({ name, description, parameters }): ToolSpec => ({ name, description, parameters })),
    async run(call, { signal, tell }) {
      // The entry of the catalogue decides what is called, never a string that only looks like its name.
      const tool = told.find(call.name)
      if (tool) {
        const result = await runCall(deps, { request, tool, tools, call, signal, tell })
        if (result.kind === 'result' && result.text.length > mostResultLetters) told.sawLongResult()
        return result
      }
      const text = `There is no tool called ${call.name.slice(0, 100)}.`
      const result = { status: 'failed' as const, text }
      tell({ type: 'tool-call', call: { ...call, status: 'failed', finishedAt: deps.clock.now(), result } })
      tell({ type: 'tool-result', callId: call.id, result })
      return { kind: 'result', text, images: [], sources: [], isError: true }
    },
  }
}
