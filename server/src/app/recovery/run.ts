/** The commands by name, and their ends in words. */
import { BackupFailure } from '../../platform/backups/index.ts'
import { DestinationFailure } from '../../platform/backups/destinations/destination.ts'
import { DatabaseError, DatabaseKeyError, DatabaseLockedError, MigrationError } from '../../platform/db/index.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { VaultFailure } from '../../platform/vault/failure.ts'
import { type Config, ConfigError } from '../config.ts'
import { StartError } from '../start-error.ts'
import { backupHelp, runBackup } from './backup-command.ts'
import { moveHelp, runMove } from './move-command.ts'
import { restoreHelp, runRestore } from './restore-command.ts'
import { rotateHelp, runRotation } from './rotate-command.ts'
import { RotationFailure } from './rotate.ts'

const commands = {
  backup: { run: runBackup, help: backupHelp },
  restore: { run: runRestore, help: restoreHelp },
  move: { run: runMove, help: moveHelp },
  'rotate-key': { run: runRotation, help: rotateHelp },
}
const codes = { well: 0, failed: 1, unclear: 2 } as const

/** The first word is the command; `tell` takes how far it is. Gives the exit code. */
export const runRecovery = async (
  [name = '', ...args]: readonly string[],
  readConfig: () => Config,
  write: (text: string) => void,
  complain: (text: string) => void,
  tell?: (text: string) => void,
): Promise<number> => {
  const command = Object.entries(commands).find(([word]) => word === name)?.[1]
  if (!command || args.includes('--help')) {
    write(
      command?.help ??
        Object.values(commands)
          .map(({ help }) => help)
          .join('\n\n'),
    )
    return command ? codes.well : codes.unclear
  }
  try {
    await command.run(args, readConfig(), write, tell)
    return codes.well
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    complain(message)
    const unclear =
      (error instanceof BackupFailure && error.code === 'refused') ||
      (error instanceof RotationFailure && error.isUnclear) ||
      error instanceof ConfigError ||
      code?.startsWith('ERR_PARSE_ARGS')
    if (!unclear && !explained.some((kind) => error instanceof kind)) complain(String((error as Error).stack))
    return unclear ? codes.unclear : codes.failed
  }
}

/** Their message is a sentence for whoever ran the command. */
const explained = [
  ...[BackupFailure, DestinationFailure, RotationFailure, StartError, VaultFailure, Refusal],
  ...[DatabaseError, DatabaseKeyError, DatabaseLockedError, MigrationError],
]
