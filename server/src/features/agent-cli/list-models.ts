/** The models that an agent lists, in the way that its data file says. */
import { makeHarmless } from '../../providers/harmless-text.ts'
import { connectAcp } from './acp/connection.ts'
import type { AgentDefinition } from './definition.ts'
import { type ProcessRequest, readOutput, startProcess } from './process.ts'

const answerMs = 10_000
const maxChars = 20_000

/** What a program prints that is run to its end; null when it fails or takes too long. */
export const askProgram = (request: ProcessRequest): Promise<string | null> => readOutput(request, answerMs, maxChars)

/** `request` starts the agent without arguments. None where it does not answer. */
export const listModels = async (
  agent: AgentDefinition,
  request: Omit<ProcessRequest, 'args'>,
): Promise<readonly string[]> => {
  const how = agent.listModels
  if (how === undefined) return []
  if (how === 'session') return await askSession(agent, { ...request, args: agent.args })
  if (!('args' in how)) return readLines((await askProgram({ ...request, args: how })) ?? '')
  return readLines((await askProgram({ ...request, args: how.args })) ?? '').flatMap((line) => {
    const found = how.pattern.exec(line)
    return found ? [how.model.replace(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? '')] : []
  })
}

/** Lines with something in them, as they may be shown. */
export const readLines = (text: string): string[] =>
  makeHarmless(text)
    .split('\n')
    .map((line) => line.trim().slice(0, 200))
    .filter((line) => line !== '')

/** The models that it names where a session begins, which is left at once. */
const askSession = async (agent: AgentDefinition, request: ProcessRequest): Promise<readonly string[]> => {
  const process = startProcess(request)
  const none = new Promise<string[]>((resolve) => setTimeout(resolve, answerMs, []).unref())
  try {
    const listed = connectAcp(agent, process).then((connection) => connection.listModels(request.folder))
    return await Promise.race([listed, none, process.exited.then(() => [])])
  } catch {
    // It may want somebody to sign in first; its default can be chosen all the same, and says so.
    return []
  } finally {
    await process.end()
  }
}
