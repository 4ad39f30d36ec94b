/**
 * Python: CPython 3.13 compiled to WebAssembly without a bridge to JavaScript, from the package `just-bash`, of which
 * nothing else is used. Its glue code runs without `process`, `require` and sockets, so that nothing of this process is
 * within its reach, and its memory has a maximum.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { compileFunction } from 'node:vm'
import { mostTreeBytes, mostTreeFiles } from './file-tree.ts'
import { type SandboxFile, sandboxFolders } from './types.ts'
import type { Engine, EngineResult, Output, Program } from './wire.ts'

/** CPython alone takes some 20 MB of it. */
const mostMemoryBytes = 256 * 1024 * 1024

/** The files of CPython in the package, which does not export them. */
const folder = join(dirname(createRequire(import.meta.url).resolve('just-bash')), '../../vendor/cpython-emscripten')

interface Node {
  readonly mode: number
  readonly usedBytes: number
  readonly contents: Record<string, Node> | Uint8Array | null
  readonly node_ops: { setattr(node: Node, attr: { readonly size?: number }): void }
  readonly stream_ops: { write: Write }
}
type Write = (stream: { readonly node: Node }, buffer: Int8Array, offset: number, length: number, at: number) => number

interface FileSystem {
  ErrnoError: new (code: number) => Error
  init(input: () => null, output: null, error: null): void
  mkdirTree(path: string): void
  writeFile(path: string, bytes: Uint8Array): void
  readFile(path: string): Uint8Array
  chdir(path: string): void
  unlink(path: string): void
  lookupPath(path: string): { readonly node: Node }
  isDir(mode: number): boolean
  isFile(mode: number): boolean
  getStream(descriptor: number): { stream_ops: { write: Write } }
}
interface PythonModule {
  readonly FS: FileSystem
  readonly ENV: Record<string, string>
  callMain(args: string[]): number
}
type Imports = Record<'env' | 'wasi_snapshot_preview1', Record<string, (...values: number[]) => number | boolean>>
interface Instance {
  readonly exports: object
}
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object
    Instance: new (module: object, imports: Imports) => Instance
  }
}

export const loadPython = async (): Promise<Engine> => {
  const compiled = new WebAssembly.Module(readFileSync(join(folder, 'python.wasm')))
  const library = readFileSync(join(folder, 'python313.zip'))
  const create = loadGlue()
  const module = await create({
    noInitialRun: true,
    thisProgram: 'python3',
    preRun: [
      ({ FS, ENV }: PythonModule) => {
        FS.init(() => null, null, null)
        FS.mkdirTree('/lib')
        FS.writeFile('/lib/python313.zip', library)
        Object.assign(ENV, environment)
      },
    ],
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm(imports: Imports, done: (instance: Instance) => void) {
      closeWaysOut(imports)
      done(new WebAssembly.Instance(compiled, imports))
      return {}
    },
  })
  return { run: async (program, output) => run(module, program, output) }
}

const environment = {
  PYTHONHOME: '/',
  PYTHONPATH: '/lib/python313.zip',
  PYTHON_COLORS: '0',
  HOME: '/tmp',
  USER: 'user',
  LOGNAME: 'user',
}

/** The glue finds neither Node nor a browser, and has what is named here. */
const loadGlue = (): ((options: object) => Promise<PythonModule>) => {
  const known = {
    globalThis: {},
    crypto: { getRandomValues: (bytes: Uint8Array) => crypto.getRandomValues(bytes) },
    performance: { now: () => performance.now() },
    console: { log: () => undefined, error: () => undefined, warn: () => undefined },
    setTimeout: () => 0,
    clearTimeout: () => undefined,
  }
  const unknown = [
    'process',
    'require',
    'module',
    'exports',
    'fetch',
    'WebSocket',
    'navigator',
    'Buffer',
    'global',
    'self',
  ]
  const source = `${readFileSync(join(folder, 'python.cjs'), 'utf8')}\nreturn createPythonModule`
  const load = compileFunction(source, [...Object.keys(known), ...unknown]) as (...values: unknown[]) => never
  return load(...Object.values(known))
}

const notSupported = -52

/** Calls that could lead out of it are answered as by a system that does not have them. */
const closeWaysOut = ({ env }: Imports): void => {
  const sockets =
    'accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmsg sendmsg sendto socket'
  const names = sockets.split(' ').map((name) => `__syscall_${name}`)
  for (const name of [...names, '_emscripten_system', '_emscripten_lookup_name', 'getaddrinfo', 'getnameinfo'])
    if (env[name]) env[name] = () => notSupported
  const grow = env['emscripten_resize_heap']
  env['emscripten_resize_heap'] = (bytes) => bytes <= mostMemoryBytes && (grow?.(bytes) ?? false)
}

const run = ({ FS, callMain }: PythonModule, program: Program, output: Output): EngineResult => {
  for (const path of sandboxFolders) FS.mkdirTree(path)
  for (const { path, bytes } of program.files) {
    FS.mkdirTree(dirname(path))
    FS.writeFile(path, bytes)
  }
  FS.writeFile('/main.py', Buffer.from(program.code))
  limitFiles(FS)
  for (const [descriptor, stream] of [
    [1, 'stdout'],
    [2, 'stderr'],
  ] as const) {
    const opened = FS.getStream(descriptor)
    opened.stream_ops = {
      ...opened.stream_ops,
      write(_stream, buffer, offset, length) {
        output.write(stream, new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length))
        return length
      },
    }
  }
  FS.chdir('/out')
  try {
    const code = callMain(['-B', '-X', 'utf8', '/main.py'])
    return { end: code === 0 ? 'finished' : 'failed', files: list(FS) }
  } catch (error) {
    // The interpreter is gone, over its stack for example.
    output.write('stderr', Buffer.from(`The program was ended: ${String(error).split('\n')[0]}\n`))
    return { end: 'failed', files: list(FS) }
  }
}

const noSpace = 51

/** Files are outside the memory of the interpreter, and have a limit of their own. */
const limitFiles = (FS: FileSystem): void => {
  const { node } = FS.lookupPath('/main.py')
  let left = mostTreeBytes
  const take = (bytes: number): void => {
    if (bytes > left) left = mostTreeBytes - sizeOf(FS)
    if (bytes > left) throw new FS.ErrnoError(noSpace)
    left -= Math.max(0, bytes)
  }
  const { write } = node.stream_ops
  const { setattr } = node.node_ops
  // All files have the same two tables.
  node.stream_ops.write = (stream, buffer, offset, length, at) => {
    take(at + length - (stream.node.usedBytes ?? 0))
    return write(stream, buffer, offset, length, at)
  }
  node.node_ops.setattr = (of, attr) => {
    if (attr.size !== undefined) take(attr.size - (of.usedBytes ?? 0))
    setattr(of, attr)
  }
}

/** All files below the folders that are read at the end. */
const walk = function* (FS: FileSystem, path: string): Generator<{ readonly path: string; readonly node: Node }> {
  const { node } = FS.lookupPath(path)
  for (const [name, inner] of Object.entries((node.contents ?? {}) as Record<string, Node>))
    if (FS.isDir(inner.mode)) yield* walk(FS, `${path}/${name}`)
    else if (FS.isFile(inner.mode)) yield { path: `${path}/${name}`, node: inner }
}

const sizeOf = (FS: FileSystem): number => {
  let bytes = 0
  for (const folder of sandboxFolders) for (const { node } of walk(FS, folder)) bytes += node.usedBytes
  return bytes
}

const list = (FS: FileSystem): SandboxFile[] => {
  const files: SandboxFile[] = []
  for (const folder of ['/keep', '/out'])
    for (const { path, node } of walk(FS, folder)) {
      if (files.length > mostTreeFiles) return files
      files.push({ path, bytes: (node.contents as Uint8Array | null)?.slice(0, node.usedBytes) ?? new Uint8Array() })
    }
  return files
}
