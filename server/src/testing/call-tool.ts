/** Calls a tool of an area as its runner does: with arguments that its schema took. */
import type { Tool, ToolContext, ToolOutput } from '../platform/areas/tool.ts'

export const callTool = async (
  tools: readonly Tool[],
  name: string,
  accountId: string,
  args: Record<string, unknown> = {},
  context: Partial<ToolContext> = {},
): Promise<ToolOutput> => {
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  return tool.run(tool.arguments.parse(args), {
    accountId,
    chatId: null,
    callId: 'call-1',
    question: '',
    signal: new AbortController().signal,
    report: () => undefined,
    ...context,
  })
}
