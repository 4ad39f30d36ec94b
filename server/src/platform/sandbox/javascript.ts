/**
 * JavaScript in QuickJS, an interpreter compiled to WebAssembly. Its memory is a `WebAssembly.Memory` with a maximum: the
 * limit that QuickJS sets itself does not hold. A program has the language, and what `javascript-globals.ts` gives it.
 */
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  RELEASE_SYNC,
} from 'quickjs-emscripten'
import { createFileTree, type FileTree } from './file-tree.ts'
import { globalsSource, moduleSources } from './javascript-globals.ts'
import type { Engine, Output, ProgramEnd } from './wire.ts'

/** In pages of 64 KB: 16 MB at first, and 192 MB at most. */
const memoryPages = { initial: 256, maximum: 3072 }
/** More would overflow the stack of WebAssembly, which ends the module. */
const stackBytes = 256 * 1024

type Memory = NonNullable<Exclude<Parameters<typeof newVariant>[1]['wasmMemory'], (() => unknown) | Promise<unknown>>>
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (pages: typeof memoryPages) => Memory }
}

export const loadJavaScript = async (): Promise<Engine> => {
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(RELEASE_SYNC, { wasmMemory: new WebAssembly.Memory(memoryPages) }),
  )
  const runtime = quickjs.newRuntime()
  runtime.setMaxStackSize(stackBytes)
  runtime.setModuleLoader((name) => {
    const source = moduleSources[name.replace(/^node:/, '')]
    return source ?? { error: new Error(`There is no module "${name}": only fs and path are here.`) }
  })
  const context = runtime.newContext()
  // All that does not depend on the program is done while nobody waits for it.
  const host: Host = { tree: createFileTree([]), output: { write: () => undefined } }
  giveHost(context, host)
  context.unwrapResult(context.evalCode(globalsSource, 'globals.js', { type: 'global' })).dispose()
  return {
    async run({ code, files }, output) {
      Object.assign(host, { tree: createFileTree(files), output })
      return { end: evaluate(context, code, output), files: host.tree.list() }
    },
  }
}

/** What a program reaches: set when it comes. */
interface Host {
  tree: FileTree
  output: Output
}

/** `import` and `await` at the top need a module, which is strict; all else runs as a script does. */
const isModule = (code: string): boolean => /^\s*(?:import|export)\b|\bawait\b/m.test(code)

const evaluate = (context: QuickJSContext, code: string, output: Output): ProgramEnd => {
  try {
    const result = context.evalCode(code, 'main.js', { type: isModule(code) ? 'module' : 'global', strict: false })
    if (result.error) return sayError(context, result.error, output)
    const failed = runJobs(context) ?? rejection(context, result.value)
    return failed ? sayError(context, failed, output) : 'finished'
  } catch (error) {
    // The module is gone: it ran out of memory, or over its stack.
    const { message } = error as Error
    output.write('stderr', Buffer.from(`The program was ended: ${message.split('\n')[0]}\n`))
    return /memory|alloc/i.test(message) ? 'memory' : 'failed'
  }
}

/** Runs what promises and timers are waiting for, until nothing is; gives an error that nobody caught. */
const runJobs = (context: QuickJSContext): QuickJSHandle | null => {
  const next = context.getProp(context.global, '__runTimer')
  for (;;) {
    const jobs = context.runtime.executePendingJobs()
    if (jobs.error) return jobs.error
    const called = context.callFunction(next, context.undefined)
    if (called.error) return called.error
    const waitMs = context.getNumber(called.value)
    if (waitMs < 0) return null
    if (waitMs > 0) Atomics.wait(sleeper, 0, 0, waitMs)
  }
}
const sleeper = new Int32Array(new SharedArrayBuffer(4))

const rejection = (context: QuickJSContext, value: QuickJSHandle): QuickJSHandle | null => {
  const state = context.getPromiseState(value)
  return state.type === 'rejected' ? state.error : null
}

const sayError = (context: QuickJSContext, error: QuickJSHandle, output: Output): ProgramEnd => {
  const told: unknown = context.dump(error)
  const { name, message, stack } = (typeof told === 'object' && told !== null ? told : {}) as Record<string, unknown>
  const text =
    typeof message === 'string'
      ? `${String(name)}: ${message}\n${typeof stack === 'string' ? stack : ''}`
      : `Uncaught ${typeof told === 'string' ? told : JSON.stringify(told)}\n`
  output.write('stderr', Buffer.from(text))
  return name === 'InternalError' && message === 'out of memory' ? 'memory' : 'failed'
}

/** The few functions by which a program reaches its files and its output. All that goes through them is copied. */
const giveHost = (context: QuickJSContext, host: Host): void => {
  const object = context.newObject()
  const give = (name: string, call: (...args: QuickJSHandle[]) => QuickJSHandle | undefined): void =>
    context.newFunction(name, call).consume((made) => context.setProp(object, name, made))
  const text = (value: QuickJSHandle | undefined): string => (value ? context.getString(value) : '')
  const bytesOf = (value: QuickJSHandle): Uint8Array =>
    context.typeof(value) === 'string'
      ? Buffer.from(context.getString(value))
      : context.getArrayBuffer(value).consume(({ value: view }) => new Uint8Array(view))
  const copyOut = (bytes: Uint8Array): QuickJSHandle => context.newArrayBuffer(new Uint8Array(bytes).buffer)
  /** What is wrong, as a string; nothing where it went well. */
  const saying = (problem: string | null) => (problem === null ? undefined : context.newString(problem))

  give('print', (stream, line) => {
    host.output.write(text(stream) === 'stderr' ? 'stderr' : 'stdout', Buffer.from(`${text(line)}\n`))
    return undefined
  })
  give('read', (path) => {
    const bytes = path && host.tree.read(text(path))
    return bytes ? copyOut(bytes) : undefined
  })
  give('write', (path, data) => (path && data ? saying(host.tree.write(text(path), bytesOf(data))) : undefined))
  give('remove', (path) => saying(host.tree.remove(text(path))))
  give('makeFolder', (path) => saying(host.tree.makeFolder(text(path))))
  give('list', (path) => {
    const names = host.tree.names(text(path))
    return names ? context.newString(JSON.stringify(names)) : undefined
  })
  give('size', (path) => {
    const size = host.tree.size(text(path))
    return size === null ? undefined : context.newNumber(size)
  })
  give('encode', (value) => copyOut(Buffer.from(text(value))))
  give('decode', (value) => (value ? context.newString(Buffer.from(bytesOf(value)).toString('utf8')) : undefined))
  give('now', () => context.newNumber(performance.now()))
  context.setProp(context.global, '__host', object)
  object.dispose()
}
