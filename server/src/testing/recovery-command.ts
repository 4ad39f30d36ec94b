import { configFromEnv } from '../app/config.ts'
import { runRecovery } from '../app/recovery/run.ts'

/** Runs a command of backups, restores and keys as a terminal does: its exit code, and what it wrote to both streams. */
export const runRecoveryCommand = async (environment: Readonly<Record<string, string>>, ...args: string[]) => {
  let [out, complaint] = ['', '']
  const code = await runRecovery(
    args,
    () => configFromEnv(environment),
    (text) => (out += text),
    (text) => (complaint += text),
  )
  return { code, out, complaint }
}
