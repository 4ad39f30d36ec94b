/**
 * A program that speaks the protocol over its input and output, a message a line. It has the environment that the operator
 * gave it and nothing of ours, a folder of its own, and a process group that is killed as a whole: when it is no longer
 * needed, when a line is too long, and when it holds too much memory. Where bubblewrap works, it sees the system's programs and
 * what the file names, and nothing else.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import { type Bubblewrap, bubblewrapProgram, readBubblewrap } from '../../../platform/sandbox/bubblewrap.ts'
import { isolateCommand } from '../../../platform/sandbox/isolated-command.ts'
import { killWithDescendants, readGroupMemory } from '../../../platform/work/group-memory.ts'
import { lowerPriority } from '../../../platform/work/priority.ts'
import { ServerFault } from '../kind.ts'
import type { StdioEntry } from './file.ts'

const mostLineBytes = 1024 * 1024
const mostMemoryMb = 512
const watchMs = 500
const tooLong = 'The program wrote a line of more than 1 MB and was stopped.'
/** So many programs of tool servers run at once. */
const mostPrograms = 32
let running = 0

export interface LocalTransport extends Transport {
  /** The library tells a program by these, and takes one that keeps silent for one of an older revision. */
  readonly pid: number | null
  readonly stderr: null
}

/** `onFault` hears why it ended where nobody asked it to. */
export const createLocalTransport = (
  { command, args, env, readable, writable, network }: StdioEntry,
  onFault: (fault: ServerFault) => void,
  bubblewrap: () => Promise<Bubblewrap> = readBubblewrap,
): LocalTransport => {
  let child: ReturnType<typeof spawn> | null = null
  let folder: string | null = null
  let timer: NodeJS.Timeout | undefined
  let ended = false
  let rest: Buffer = Buffer.alloc(0)

  const end = (fault: ServerFault | null): void => {
    if (ended) return
    ended = true
    clearTimeout(timer)
    if (child) {
      running -= 1
      if (child.pid !== undefined) killWithDescendants(child.pid)
    }
    // The next start makes another one.
    if (folder !== null) void rm(folder, { recursive: true, force: true }).catch(() => undefined)
    if (fault) {
      onFault(fault)
      transport.onerror?.(fault)
    }
    transport.onclose?.()
  }
  const fail = (words: string) => end(new ServerFault('unreachable', words))

  const watch = async (): Promise<void> => {
    if ((await readGroupMemory(child?.pid)) > mostMemoryMb)
      return fail(`The program used more than ${mostMemoryMb} MB and was stopped.`)
    if (!ended) timer = setTimeout(() => void watch(), watchMs)
    timer?.unref()
  }

  const hear = (piece: Buffer): void => {
    rest = rest.byteLength === 0 ? piece : Buffer.concat([rest, piece])
    for (let at = rest.indexOf(10); at >= 0 && !ended; at = rest.indexOf(10)) {
      const line = rest.subarray(0, at)
      rest = rest.subarray(at + 1)
      if (line.byteLength > mostLineBytes) return fail(tooLong)
      take(line.toString().trim())
    }
    if (!ended && rest.byteLength > mostLineBytes) fail(tooLong)
  }
  const take = (line: string): void => {
    if (line === '') return
    try {
      transport.onmessage?.(parseJSONRPCMessage(JSON.parse(line)))
    } catch (error) {
      // Programs print what is no message, too.
      transport.onerror?.(error as Error)
    }
  }

  const transport: LocalTransport = {
    get pid() {
      return child?.pid ?? null
    },
    stderr: null,
    async start() {
      if (running >= mostPrograms)
        throw new ServerFault('unreachable', 'Too many programs of tool servers are running. Try again in a minute.')
      running += 1
      try {
        folder = await mkdtemp(join(tmpdir(), 'atrium-tools-'))
        const box = { command, args, folder, readable, writable, network }
        const [program, given] = (await bubblewrap()).works
          ? [bubblewrapProgram(), isolateCommand(box)]
          : [command, args]
        // Stopped meanwhile: nothing is to be started any more.
        if (ended) {
          running -= 1
          await rm(folder, { recursive: true, force: true })
          return
        }
        child = spawn(program, given, { cwd: folder, env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
      } catch {
        running -= 1
        throw new ServerFault('unreachable', 'Couldn’t start the program.')
      }
      child.on('error', () => fail('Couldn’t start the program.'))
      child.on('exit', () => fail('The program has ended.'))
      child.stdin?.on('error', () => fail('The program no longer reads its input.'))
      child.stdout?.on('data', hear)
      // In a session of its own once it speaks, where bubblewrap gives it one.
      child.stdout?.once('data', () => lowerPriority(child?.pid, 'low'))
      lowerPriority(child.pid, 'low')
      void watch()
    },
    send(message: JSONRPCMessage) {
      if (ended || !child?.stdin) return Promise.reject(new ServerFault('unreachable', 'The program has ended.'))
      child.stdin.write(`${JSON.stringify(message)}\n`)
      return Promise.resolve()
    },
    async close() {
      end(null)
    },
  }
  return transport
}
