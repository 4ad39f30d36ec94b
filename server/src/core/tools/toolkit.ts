/** The tools of one answer: what its model is told of, and the calls that it makes. */
import type { ToolCall } from '@atrium/contract/generation'
import type { ToolSpec } from '../../providers/types.ts'
import { readArguments } from './arguments.ts'
import type { CatalogItem } from './catalogue.ts'
import type { ToolsContext } from './context.ts'
import { resultText } from './result-text.ts'
import type { Toolkit, ToolkitRequest, ToolkitResult, ToolOutput } from './types.ts'

const shownLetters = 2000
const reportEveryMs = 250

export const createToolkit = (deps: ToolsContext, request: ToolkitRequest, tools: readonly CatalogItem[]): Toolkit => {
  const { clock, execute } = deps
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const specs = tools.map(({ name, description, parameters }): ToolSpec => ({ name, description, parameters }))

  return {
    specs: () => specs,
    async run(call, { signal, tell }) {
      const tool = byName.get(call.name)
      const startedAt = clock.now()
      let told: ToolCall = { ...call, startedAt, ...(tool && about(tool)) }
      const change = (changes: Partial<ToolCall>) => {
        told = { ...told, ...changes }
        tell({ type: 'tool-call', call: told })
      }
      const end = (output: ToolOutput): ToolkitResult => {
        const isError = output.isError ?? false
        const sources = (output.sources ?? []).map((source) => ({ ...source, number: request.nextSource() }))
        const text = resultText({
          text: output.text,
          sources,
          tool: call.name,
          fence: tool && holdsWords(tool) && !isError ? `quoted-${clock.id()}` : null,
          readOn: null,
        })
        const result = { status: isError ? ('failed' as const) : ('done' as const), text: text.slice(0, shownLetters) }
        change({ status: isError ? 'failed' : 'succeeded', finishedAt: clock.now(), result })
        tell({ type: 'tool-result', callId: call.id, result })
        return { kind: 'result', text, images: imagesOf(output, request.vision), sources, isError }
      }
      if (!tool) return end({ text: `There is no tool called ${call.name}.`, isError: true })
      const read = await readArguments(tool, call.arguments)
      if ('fault' in read) return end({ text: read.fault, isError: true })
      let reportedAt = 0
      const output = await execute({
        tool,
        args: read.args,
        signal,
        began: async () => change({ status: 'running', decidedBy: 'rules' }),
        context: {
          accountId: request.accountId,
          chatId: request.chatId,
          callId: `${request.subjectId}:${call.id}`,
          question: request.question,
          report({ done, total, message }) {
            const now = performance.now()
            if (now - reportedAt < reportEveryMs) return
            reportedAt = now
            change({ progress: { done, total, ...(message !== undefined && { message: message.slice(0, 200) }) } })
          },
          ask: async () => null,
        },
      })
      return end(output)
    },
  }
}

/** Whether its result holds words that the model could take for its orders. */
const holdsWords = ({ readsForeignText, readsPrivateData, source }: CatalogItem): boolean =>
  readsForeignText || readsPrivateData || source !== 'builtin'

const about = ({ source, server, sideEffect, sendsData }: CatalogItem): Partial<ToolCall> => ({
  source,
  sideEffect,
  ...(server && { serverId: server.id, serverName: server.name }),
  ...(sendsData && { reaches: server?.reaches ?? null }),
})

const imagesOf = ({ media = [] }: ToolOutput, vision: boolean | null) =>
  vision === false
    ? []
    : media
        .filter(({ mediaType }) => /^image\/(png|jpeg|webp|gif)$/.test(mediaType))
        .map(({ mediaType, bytes }) => ({ mediaType, data: Buffer.from(bytes).toString('base64') }))
