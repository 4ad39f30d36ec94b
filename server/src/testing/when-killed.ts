import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Has a small watcher run a script on a folder (`$0`) when this process is killed: then its input closes. Gives the
 * function that ends the watcher, for when all is put away; the script runs only where the folder is still there.
 */
export const whenKilled = (script: string, folder: string): (() => Promise<void>) => {
  const guarded = `cat >/dev/null; [ -d "$0" ] || exit 0; ${script}`
  const watcher = spawn('sh', ['-c', guarded, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watcher.unref()
  return async () => {
    watcher.ref()
    watcher.stdin.end()
    if (watcher.exitCode === null) await once(watcher, 'exit')
  }
}
