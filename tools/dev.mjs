/** `npm run dev`: the server restarts and the page reloads as files change. `--provider` starts a model server too. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, environment, root, runtime } from './runtime.mjs'

ensureInstalled()
const node = runtime()
const commands = [
  ['server', [node, '--watch', '--watch-preserve-output', 'server/src/app/main.ts'], root],
  ['web', [node, join(root, 'node_modules', 'vite', 'bin', 'vite.js')], join(root, 'web')],
]
if (process.argv.includes('--provider')) commands.push(['provider', [node, 'e2e/provider/main.ts'], root])

const children = commands.map(([name, [command, ...args], cwd]) => {
  const child = spawn(command, args, { cwd, stdio: 'inherit', env: environment() })
  child.on('exit', (code) => {
    if (code) console.error(`${name} ended with ${code}`)
  })
  return child
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
