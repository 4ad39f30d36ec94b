/** `npm run backup`, `restore`, `move` and `rotate-key`. Exits with 0, 1 (it failed) or 2 (the command cannot be understood). */
import { readConfig } from '../config.ts'
import { runRecovery } from './run.ts'

process.exitCode = await runRecovery(
  process.argv.slice(2),
  readConfig,
  (text) => console.log(text),
  (text) => console.error(text),
  // For somebody who waits, not for the log of cron.
  process.stderr.isTTY ? (text) => console.error(text) : undefined,
)
