/** What opens backups on the command line: a file that holds a recovery key, an instance key or an age identity; or the instance's own. */
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { BackupSecret } from '../../platform/backups/index.ts'
import { BackupFailure } from '../../platform/backups/index.ts'
import { type InstanceKey, loadInstanceKey } from '../../platform/vault/instance-key.ts'
import { VaultFailure } from '../../platform/vault/failure.ts'
import { type Config, keyOptionsOf } from '../config.ts'

/** `path`: a file, or `-` for standard input. Without it, the instance key of this machine. */
export const readSecret = async (config: Config, path: string | undefined): Promise<BackupSecret> => {
  if (path === undefined) {
    const { key, previous } = await ownInstanceKeys(config)
    return { instanceKey: key, former: previous ? [previous] : [] }
  }
  return secretOf(await readSecretFile(path))
}

/** `-`: standard input, where it is asked for if somebody sits there. */
export const readSecretFile = async (path: string): Promise<string> => {
  if (path !== '-') return await readFile(path, 'utf8').catch(explain(path))
  return process.stdin.isTTY ? await askForSecret(process.stdin, process.stderr) : await text(process.stdin)
}

/** One line, and more of them while they end with a dash, as those of the kit do. */
export const askForSecret = async (input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<string> => {
  const lines = createInterface({ input })
  try {
    let typed = ''
    output.write('Recovery key: ')
    for await (const line of lines) {
      typed += `${line.trim()} `
      if (!line.trimEnd().endsWith('-')) break
    }
    return typed
  } finally {
    lines.close()
  }
}

/** Tells the three kinds apart by what they look like. */
export const secretOf = (content: string): BackupSecret => {
  const plain = content.trim()
  if (/^[0-9a-fA-F]{64}$/.test(plain)) return { instanceKey: Buffer.from(plain, 'hex') }
  const identity = /^AGE-SECRET-KEY-\S+$/m.exec(plain)?.[0]
  return identity === undefined ? { recoveryKey: plain } : { identity }
}

/** Of the environment or the data folder, never a new one; with the key before it, while that is replaced. */
export const ownInstanceKeys = async (config: Config): Promise<InstanceKey> => {
  try {
    return await loadInstanceKey({ ...keyOptionsOf(config), databaseExists: true })
  } catch (error) {
    if (!(error instanceof VaultFailure) || error.kind !== 'key-missing') throw error
    throw new BackupFailure(
      'key',
      'There is no instance key here. Pass a file with the recovery key: --key <file> (or --key - to type it).',
    )
  }
}

const explain =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw new BackupFailure('missing', `The file ${path} can’t be read (${error.code}).`)
  }
