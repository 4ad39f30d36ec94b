/** Asks an agent as somebody does who runs it by hand: no server, no chat, nothing stored. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { agentCommands } from '../../server/src/testing/agents/environment.ts'

export interface HandAgent {
  /** Milliseconds from the question to the first text. */
  ask(words: string): Promise<number>
  end(): void
}

/** Starts it with the arguments that Atrium starts it with. */
export const startByHand = (kind: 'acp' | 'jsonl', args: readonly string[], folder: string): HandAgent => {
  const command = join(agentCommands, kind === 'acp' ? 'tester' : 'claude')
  const child = spawn(command, args, { cwd: folder })
  const lines = createInterface({ input: child.stdout })
  const send = (line: object): void => void child.stdin.write(`${JSON.stringify(line)}\n`)
  const hear = (isIt: (line: string) => boolean): Promise<string> =>
    new Promise((resolve) => {
      const read = (line: string): void => {
        if (!isIt(line)) return
        lines.off('line', read)
        resolve(line)
      }
      lines.on('line', read)
    })
  const ask = kind === 'acp' ? askAcp(send, hear) : askLines(send, hear)
  return { ask, end: () => end(child) }
}

type Send = (line: object) => void
type Hear = (isIt: (line: string) => boolean) => Promise<string>

const askAcp = (send: Send, hear: Hear) => {
  let id = 0
  let session: string | null = null
  const call = (method: string, params: object): void => {
    id += 1
    send({ jsonrpc: '2.0', id, method, params })
  }
  const answer = (): Promise<string> => hear((line) => line.includes(`"id":${id}`))
  return async (words: string): Promise<number> => {
    const begun = performance.now()
    if (session === null) {
      call('initialize', { protocolVersion: 1, clientCapabilities: {} })
      await answer()
      call('session/new', { cwd: '/', mcpServers: [] })
      session = (JSON.parse(await answer()) as { result: { sessionId: string } }).result.sessionId
    }
    call('session/prompt', { sessionId: session, prompt: [{ type: 'text', text: words }] })
    const over = answer()
    await hear((line) => line.includes('agent_message_chunk'))
    const took = performance.now() - begun
    await over
    return took
  }
}

const askLines =
  (send: Send, hear: Hear) =>
  async (words: string): Promise<number> => {
    const begun = performance.now()
    send({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: words }] } })
    const over = hear((line) => line.includes('"type":"result"'))
    await hear((line) => line.includes('text_delta'))
    const took = performance.now() - begun
    await over
    return took
  }

const end = (child: ChildProcessWithoutNullStreams): void => {
  child.kill('SIGKILL')
}
