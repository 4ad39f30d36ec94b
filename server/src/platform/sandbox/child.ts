/**
 * A process of the sandbox: loads one engine, waits for one program, runs it, tells what it left, and is ended. The
 * program reaches nothing of it: see `docs/decisions`.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { argv } from 'node:process'
import { Worker } from 'node:worker_threads'
import { type Chunk, createChunkReader, readyForNext, splitIntoChunks } from '../work/chunks.ts'
import { closeNetwork } from '../work/closed-network.ts'
import { sortLeftFiles } from './left-files.ts'
import { type Engine, type Program, type ProgramResult, programsMayCome } from './wire.ts'

// Ctrl-C and a stopping service may reach it; when a running program ends is for the server to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(0))

// A program that never yields does not hear of the server's end; this thread does. None begins before it is awake.
const guard = new Worker(new URL('../work/orphan.ts', import.meta.url), {
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
})
const guarded = once(guard, 'message')
guard.unref()

const send = process.send?.bind(process)
const loadEngine = async (): Promise<Engine> =>
  argv[2] === 'python' ? (await import('./python.ts')).loadPython() : (await import('./javascript.ts')).loadJavaScript()

const run = async (engine: Engine, program: Program): Promise<ProgramResult> => {
  const sent = { stdout: 0, stderr: 0 }
  let droppedBytes = 0
  const { end, files } = await engine.run(program, {
    write(stream, bytes) {
      const room = Math.max(0, program.limits.outputBytes - sent[stream])
      const some = bytes.subarray(0, room)
      sent[stream] += some.byteLength
      droppedBytes += bytes.byteLength - some.byteLength
      writeWhole(stream === 'stdout' ? 1 : 2, some)
    },
  })
  return { end, sent, droppedBytes, ...sortLeftFiles(files, program) }
}

/** At once: a program that is killed has said what it said. */
const writeWhole = (descriptor: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.byteLength; ) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

const tell = async (result: ProgramResult): Promise<void> => {
  for (const parcel of splitIntoChunks(result)) {
    send?.(parcel)
    if (!('rest' in parcel)) await new Promise<void>((resolve) => (proceed = resolve))
  }
}

let proceed = (): void => undefined
const receive = createChunkReader()

// Nothing that runs here has anybody to talk to.
closeNetwork(null)
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) Reflect.deleteProperty(globalThis, name)

const [engine] = await Promise.all([loadEngine(), guarded])
process.on('message', (message: Chunk | typeof readyForNext) => {
  if (message === readyForNext) return proceed()
  const program = receive(message)
  if (program) void run(engine, program.value as Program).then(tell)
})
send?.(programsMayCome)
