/** `npm run dev`: the server restarts and the page reloads as files change. `--provider` starts a model server too. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, environment, root, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
// Else a watched process reports its imports through its threads' own messages.
const unreported = '--import=data:text/javascript,delete process.env.WATCH_REPORT_DEPENDENCIES'
const commands = [
  [
    'server',
    [
      node,
      unreported,
      '--watch-path=server/src',
      '--watch-path=contract/src',
      '--watch-preserve-output',
      'server/src/app/main.ts',
    ],
    root,
  ],
  ['web', [node, join(root, 'node_modules', 'vite', 'bin', 'vite.js')], join(root, 'web')],
]
const served = { ATRIUM_SERVER: `http://127.0.0.1:${process.env.PORT ?? 3001}` }
if (process.argv.includes('--provider')) {
  commands.push(['provider', [node, 'e2e/provider/main.ts', '11435'], root])
  served.OLLAMA_BASE_URL = process.env.OLLAMA_BASE_URL ?? 'http://127.0.0.1:11435'
}

const children = commands.map(([name, [command, ...args], cwd]) => {
  const child = spawn(command, args, { cwd, stdio: 'inherit', env: environment(served) })
  child.on('exit', (code) => {
    if (code) console.error(`${name} ended with ${code}`)
  })
  return child
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
