/**
 * What a program in JavaScript finds beside the language: `console`, timers, text encoding, and the modules `fs` and
 * `path`, as Node names them. Written in JavaScript, it runs in the interpreter itself, over the few functions of
 * `__host` that `javascript.ts` gives it.
 */
export const globalsSource = String.raw`(() => {
'use strict'
const host = globalThis.__host
delete globalThis.__host

const show = (value, depth, seen) => {
  if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value)
  if (typeof value === 'bigint') return value + 'n'
  if (typeof value === 'function') return '[Function' + (value.name ? ': ' + value.name : '') + ']'
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Error) return value.name + ': ' + value.message + (value.stack ? '\n' + value.stack.trimEnd() : '')
  if (value instanceof Date) return isNaN(value) ? 'Invalid Date' : value.toISOString()
  if (value instanceof RegExp) return String(value)
  if (seen.includes(value)) return '[Circular]'
  if (depth > 4) return Array.isArray(value) ? '[Array]' : '[Object]'
  const inner = [...seen, value]
  const each = (one) => show(one, depth + 1, inner)
  const list = (items, open, close) => {
    if (items.length === 0) return open.trim() + close.trim()
    const line = items.join(', ')
    const pad = '  '.repeat(depth + 1)
    return line.length <= 100 && !line.includes('\n') ? open + line + close
      : open.trim() + '\n' + pad + items.join(',\n' + pad) + '\n' + '  '.repeat(depth) + close.trim()
  }
  const most = (items) => items.length > 200 ? [...items.slice(0, 200), '… ' + (items.length - 200) + ' more'] : items
  if (Array.isArray(value)) {
    const shown = Array.from(value.slice(0, 200), each)
    return list(value.length > 200 ? [...shown, '… ' + (value.length - 200) + ' more'] : shown, '[ ', ' ]')
  }
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return value.constructor.name + '(' + value.length + ') ' + list([...value.slice(0, 50)].map(String).concat(value.length > 50 ? ['…'] : []), '[ ', ' ]')
  if (value instanceof Map) return 'Map(' + value.size + ') ' + list(most([...value].map(([k, v]) => each(k) + ' => ' + each(v))), '{ ', ' }')
  if (value instanceof Set) return 'Set(' + value.size + ') ' + list(most([...value].map(each)), '{ ', ' }')
  if (value instanceof Promise) return 'Promise {}'
  const name = value.constructor && value.constructor.name
  const start = name && name !== 'Object' ? name + ' ' : ''
  const key = (k) => typeof k === 'symbol' ? '[' + String(k) + ']' : /^[\p{L}_$][\p{L}\d_$]*$/u.test(k) ? k : JSON.stringify(k)
  return start + list(most(Reflect.ownKeys(value).map((k) => key(k) + ': ' + each(value[k]))), '{ ', ' }')
}
const format = (values) => {
  let [first, ...rest] = values
  if (typeof first === 'string' && rest.length > 0)
    first = first.replace(/%[sdifoOjc%]/g, (mark) => {
      if (mark === '%%') return '%'
      if (rest.length === 0) return mark
      const value = rest.shift()
      if (mark === '%c') return ''
      if (mark === '%d' || mark === '%f') return String(Number(value))
      if (mark === '%i') return String(Math.trunc(Number(value)))
      return mark === '%j' ? JSON.stringify(value) : show(value, mark === '%s' ? 0 : 1, [])
    })
  return (values.length === 0 ? [] : [first, ...rest]).map((value) => show(value, 0, [])).join(' ')
}
let indent = ''
const say = (stream) => (...values) => values.length === 1 && indent === '' ? host.print(stream, show(values[0], 0, [])) : host.print(stream, format(values).split('\n').map((line) => indent + line).join('\n'))
const counts = new Map()
const starts = new Map()
const cell = (value) => show(value, 1, [])
const table = (rows) => {
  if (typeof rows !== 'object' || rows === null) return say('stdout')(rows)
  const entries = Object.entries(rows)
  const columns = [...new Set(entries.flatMap(([, row]) => typeof row === 'object' && row !== null ? Object.keys(row) : ['Value']))]
  const lines = [['', ...columns], ...entries.map(([index, row]) => [index, ...columns.map((column) =>
    typeof row === 'object' && row !== null ? (column in row ? cell(row[column]) : '') : column === 'Value' ? cell(row) : '')])]
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)))
  for (const line of lines) say('stdout')(line.map((text, at) => text.padEnd(widths[at])).join(' | ').trimEnd())
}
globalThis.console = {
  log: say('stdout'), info: say('stdout'), debug: say('stdout'), dir: (value) => say('stdout')(value), table,
  warn: say('stderr'), error: say('stderr'), trace: say('stderr'),
  assert: (condition, ...values) => { if (!condition) say('stderr')('Assertion failed', ...values) },
  group: (...values) => { if (values.length) say('stdout')(...values); indent += '  ' },
  groupEnd: () => { indent = indent.slice(2) },
  count: (name = 'default') => { counts.set(name, (counts.get(name) || 0) + 1); say('stdout')(name + ': ' + counts.get(name)) },
  time: (name = 'default') => { starts.set(name, host.now()) },
  timeEnd: (name = 'default') => say('stdout')(name + ': ' + (host.now() - (starts.get(name) || 0)).toFixed(3) + 'ms'),
}

const timers = new Map()
let lastTimer = 0
const addTimer = (call, ms, again, values) => {
  const wait = Math.max(0, Number(ms) || 0)
  timers.set(++lastTimer, { call, at: host.now() + wait, again: again ? Math.max(1, wait) : null, values })
  return lastTimer
}
globalThis.setTimeout = (call, ms, ...values) => addTimer(call, ms, false, values)
globalThis.setInterval = (call, ms, ...values) => addTimer(call, ms, true, values)
globalThis.setImmediate = (call, ...values) => addTimer(call, 0, false, values)
globalThis.clearTimeout = globalThis.clearInterval = globalThis.clearImmediate = (id) => { timers.delete(id) }
globalThis.queueMicrotask = (call) => { Promise.resolve().then(call) }
const runTimer = () => {
  let next = null
  for (const [id, timer] of timers) if (!next || timer.at < next[1].at) next = [id, timer]
  if (!next) return -1
  const [id, timer] = next
  const wait = timer.at - host.now()
  if (wait > 0.5) return Math.min(wait, 60000)
  if (timer.again === null) timers.delete(id)
  else timer.at = host.now() + timer.again
  timer.call(...timer.values)
  return 0
}
Object.defineProperty(globalThis, '__runTimer', { value: runTimer })
globalThis.performance = { now: () => host.now() }

const bytesOf = (data) => typeof data === 'string' ? data
  : data instanceof ArrayBuffer ? data
  : ArrayBuffer.isView(data) ? data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  : String(data)
globalThis.TextEncoder = class TextEncoder { get encoding() { return 'utf-8' } encode(text = '') { return new Uint8Array(host.encode(String(text))) } }
globalThis.TextDecoder = class TextDecoder { get encoding() { return 'utf-8' } decode(data) { return data === undefined ? '' : host.decode(bytesOf(data)) } }
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
globalThis.btoa = (text) => {
  let out = ''
  const codes = [...String(text)].map((c) => c.charCodeAt(0))
  if (codes.some((code) => code > 255)) throw new RangeError('btoa takes characters up to U+00FF')
  for (let at = 0; at < codes.length; at += 3) {
    const bits = (codes[at] << 16) | ((codes[at + 1] || 0) << 8) | (codes[at + 2] || 0)
    out += alphabet[bits >> 18] + alphabet[(bits >> 12) & 63] + (at + 1 < codes.length ? alphabet[(bits >> 6) & 63] : '=') + (at + 2 < codes.length ? alphabet[bits & 63] : '=')
  }
  return out
}
globalThis.atob = (text) => {
  let out = '', bits = 0, held = 0
  for (const c of String(text).replace(/[\s=]/g, '')) {
    const value = alphabet.indexOf(c)
    if (value < 0) throw new SyntaxError('This is not base64.')
    bits = (bits << 6) | value
    held += 6
    if (held >= 8) { held -= 8; out += String.fromCharCode((bits >> held) & 255) }
    bits &= 0xffff
  }
  return out
}
globalThis.structuredClone = (value, seen = new Map()) => {
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('It cannot be cloned.')
  if (typeof value !== 'object' || value === null) return value
  if (seen.has(value)) return seen.get(value)
  const keep = (copy) => { seen.set(value, copy); return copy }
  if (value instanceof Date) return keep(new Date(value))
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags))
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return keep(value.slice())
  if (value instanceof Map) { const copy = keep(new Map()); for (const [k, v] of value) copy.set(structuredClone(k, seen), structuredClone(v, seen)); return copy }
  if (value instanceof Set) { const copy = keep(new Set()); for (const one of value) copy.add(structuredClone(one, seen)); return copy }
  const copy = keep(Array.isArray(value) ? [] : {})
  for (const k of Object.keys(value)) copy[k] = structuredClone(value[k], seen)
  return copy
}

const done = (problem) => {
  if (problem === undefined) return
  const error = new Error(problem)
  error.code = problem.split(':')[0]
  throw error
}
const text = (path) => { if (typeof path !== 'string') throw new TypeError('A path is a string.'); return path }
const encodingOf = (options) => typeof options === 'string' ? options : options && options.encoding
const fs = {
  readFileSync(path, options) {
    const bytes = host.read(text(path))
    if (bytes === undefined) done((host.size(path) === -1 ? 'EISDIR: it is a folder: ' : 'ENOENT: no such file: ') + path)
    return encodingOf(options) ? host.decode(bytes) : new Uint8Array(bytes)
  },
  writeFileSync: (path, data) => done(host.write(text(path), bytesOf(data))),
  appendFileSync(path, data) {
    const before = host.read(text(path))
    const more = typeof data === 'string' ? host.encode(data) : bytesOf(data)
    const whole = new Uint8Array((before ? before.byteLength : 0) + more.byteLength)
    if (before) whole.set(new Uint8Array(before))
    whole.set(new Uint8Array(more), before ? before.byteLength : 0)
    done(host.write(path, whole.buffer))
  },
  existsSync: (path) => typeof path === 'string' && host.size(path) !== undefined,
  readdirSync(path) {
    const names = host.list(text(path))
    if (names === undefined) done('ENOENT: no such folder: ' + path)
    return JSON.parse(names)
  },
  mkdirSync: (path) => done(host.makeFolder(text(path))),
  unlinkSync: (path) => done(host.remove(text(path))),
  rmdirSync: (path) => done(host.remove(text(path))),
  rmSync(path, options) {
    const size = host.size(text(path))
    if (size === undefined && options && options.force) return
    if (size === -1 && options && options.recursive) for (const name of fs.readdirSync(path)) fs.rmSync(path + '/' + name, options)
    done(host.remove(path))
  },
  renameSync(from, to) { fs.copyFileSync(from, to); fs.unlinkSync(from) },
  copyFileSync: (from, to) => fs.writeFileSync(to, fs.readFileSync(from)),
  statSync(path) {
    const size = host.size(text(path))
    if (size === undefined) done('ENOENT: no such file: ' + path)
    return { size: Math.max(0, size), isFile: () => size !== -1, isDirectory: () => size === -1 }
  },
}
fs.promises = Object.fromEntries(['readFile', 'writeFile', 'appendFile', 'readdir', 'mkdir', 'unlink', 'rmdir', 'rm', 'rename', 'copyFile', 'stat']
  .map((name) => [name, async (...values) => fs[name + 'Sync'](...values)]))
const normalize = (path) => {
  const parts = []
  for (const part of path.split('/')) if (part === '..' && parts.length && parts.at(-1) !== '..') parts.pop(); else if (part && part !== '.') parts.push(part)
  return (path.startsWith('/') ? '/' : '') + parts.filter((part) => !(path.startsWith('/') && part === '..')).join('/') || '.'
}
const base = (path) => path.replace(/\/+$/, '').split('/').at(-1)
const ext = (path) => { const name = base(path); const at = name.lastIndexOf('.'); return at > 0 ? name.slice(at) : '' }
const path = {
  sep: '/', normalize,
  join: (...parts) => normalize(parts.filter(Boolean).join('/')),
  resolve: (...parts) => normalize(parts.reduce((whole, part) => part.startsWith('/') ? part : whole + '/' + part, '/out')),
  basename: (path, end) => { const name = base(path); return end && name.endsWith(end) ? name.slice(0, -end.length) : name },
  dirname: (path) => { const at = path.lastIndexOf('/'); return at < 0 ? '.' : at === 0 ? '/' : path.slice(0, at) },
  extname: ext,
  parse: (path_) => ({ root: path_.startsWith('/') ? '/' : '', dir: path.dirname(path_), base: base(path_), ext: ext(path_), name: path.basename(path_, ext(path_)) }),
}
const modules = { fs, 'fs/promises': fs.promises, path }
globalThis.require = (name) => {
  const found = modules[String(name).replace(/^node:/, '')]
  if (!found) throw new Error('There is no module "' + name + '": only fs and path are here.')
  return found
}
})()`

const exported = (name: string, names: string): string =>
  `const it = require('${name}'); export default it; export const { ${names} } = it`
const sync = 'readFile writeFile appendFile readdir mkdir unlink rmdir rm rename copyFile stat'.split(' ')

/** The modules that a program may import. */
export const moduleSources: Readonly<Record<string, string>> = {
  fs: exported('fs', `promises, existsSync, ${sync.map((name) => `${name}Sync`).join(', ')}`),
  'fs/promises': exported('fs/promises', sync.join(', ')),
  path: exported('path', 'sep, normalize, join, resolve, basename, dirname, extname, parse'),
}
