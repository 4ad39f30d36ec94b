/**
 * What every command needs first, in plain JavaScript that any Node ≥ 20 can run: the packages, and the runtime that
 * our code runs on (pinned in package.json, taken from the registry; a system Node ≥ 22.19 serves where there is none).
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pack } from './pack.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
const oldest = [22, 19]

/** Installs what is missing; does nothing when the lock file was installed before, by this or by `npm ci`. */
export function ensureInstalled() {
  const text = readFileSync(join(root, 'package-lock.json'))
  const lock = createHash('sha256').update(text).digest('hex')
  const stamp = join(root, 'node_modules', '.installed-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  if (npmInstalled(JSON.parse(text))) return writeFileSync(stamp, lock)
  console.log('Installing packages (once; about a minute) …')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const done = spawnSync('npm', ['ci', ...quiet], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (done.status !== 0) stop('The packages could not be installed. The lines above say why; "npm ci" tries it alone.')
  writeFileSync(stamp, lock)
}

/** Whether npm's own record of `node_modules` has every package of the lock file; optional ones may be missing. */
function npmInstalled(lock) {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const { packages } = JSON.parse(readFileSync(record, 'utf8'))
  return Object.entries(lock.packages).every(
    ([path, { optional, version, integrity }]) =>
      path === '' ||
      (packages[path] ? packages[path].version === version && packages[path].integrity === integrity : optional),
  )
}

/** The path of the Node that runs our code; stops with one sentence when there is none. */
export function runtime() {
  const pinned = join(bin, 'node')
  for (const path of [pinned, process.execPath]) {
    if (path === pinned && !existsSync(pinned)) continue
    const answer = spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' })
    const [major = 0, minor = 0] = (answer.stdout ?? '').trim().split('.').map(Number)
    if (answer.status === 0 && (major > oldest[0] || (major === oldest[0] && minor >= oldest[1]))) return path
  }
  return stop(
    `Atrium needs Node ${oldest.join('.')} or newer; for this platform the registry has no pinned one, and the system has ${process.version}.`,
  )
}

/** The environment in which tools find the packages’ commands, and the pinned Node before the system’s. */
export const environment = (extra = {}) => ({
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
  npm_config_loglevel: 'error',
  ...extra,
})

/** Runs a command to its end and gives its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: environment(), ...options })
    child.on('error', (problem) => {
      console.error(`${command}: ${problem.message}`)
      resolve(127)
    })
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })
}

/**
 * Becomes a command: takes its place as the same process, so that nothing of this one stays in memory. Where the system
 * or Node (before 22.15) cannot do that, starts it as a child, hands signals on, and ends as it ends.
 */
export function become(command, args, env = environment()) {
  if (process.execve && process.platform !== 'win32') {
    process.chdir(root)
    process.execve(command, [command, ...args], env)
  }
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (problem) => stop(`${command}: ${problem.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}

/** Builds the web app and bundles the server, each when a source is newer than its last build. */
export async function ensureBuilt() {
  const node = runtime()
  const plugins = readdirSync(join(root, 'web')).filter((name) => name.endsWith('.ts'))
  const web = ['web/src', 'web/public', 'contract/src', 'web/index.html', 'package-lock.json']
  web.push(...plugins.map((name) => `web/${name}`))
  await ensureFresh('web/dist', web, async () => {
    console.log('Building the web app …')
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    const code = await run(node, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, 'web') })
    if (code !== 0) stop('The web app could not be built.')
    await pack(join(root, 'web', 'dist'))
  })
  await ensureServerBuilt()
}

/** Bundles the server when a source of it is newer than its last bundle. */
export async function ensureServerBuilt() {
  const node = runtime()
  await ensureFresh(
    'server/dist',
    ['server/src', 'contract/src', 'tools/build-server.mjs', 'package-lock.json'],
    async () => {
      console.log('Bundling the server …')
      if ((await run(node, ['tools/build-server.mjs'])) !== 0) stop('The server could not be bundled.')
    },
  )
}

async function ensureFresh(folder, sources, build) {
  const stamp = join(root, folder, '.built')
  const built = existsSync(stamp) ? statSync(stamp).mtimeMs : 0
  const began = new Date()
  if (newest(sources.map((path) => join(root, path))) <= built) return
  await build()
  // What changes while it is built counts as newer.
  writeFileSync(stamp, began.toISOString())
  utimesSync(stamp, began, began)
}

/** Ends with a sentence. */
export function stop(sentence) {
  console.error(sentence)
  process.exit(1)
}

function newest(paths) {
  let latest = 0
  for (const path of paths) {
    if (!existsSync(path)) continue
    const state = statSync(path)
    latest = Math.max(latest, state.mtimeMs)
    if (state.isDirectory()) latest = Math.max(latest, newest(readdirSync(path).map((name) => join(path, name))))
  }
  return latest
}
