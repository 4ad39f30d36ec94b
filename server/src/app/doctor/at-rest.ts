/** What can be looked at while no server runs: the folder, the key and the database, which is opened and not changed. */
import { stat } from 'node:fs/promises'
import type { DoctorCheck } from '@atrium/contract/doctor'
import { instanceChecks } from '../../features/doctor/checks/index.ts'
import { runChecks } from '../../platform/diagnostics/checks.ts'
import { type Database, openDatabase } from '../../platform/db/index.ts'
import { keyCardOf, loadInstanceKey } from '../../platform/vault/instance-key.ts'
import { fileKeyOf } from '../recovery/file-key.ts'
import { type Config, dataPathsIn, keyOptionsOf } from '../config.ts'
import { environmentVariables } from '../environment.ts'
import { checkOf } from './write.ts'

export const checkAtRest = async (config: Config): Promise<DoctorCheck[]> => {
  const { dataDir } = config
  const file = dataPathsIn(dataDir).database
  const databaseExists = config.databaseUrl !== undefined || (await isThere(file))
  if (!databaseExists)
    return [checkOf('database', 'warn', `There is no database in ${dataDir} yet; the first start creates it.`)]
  let database: Database | null = null
  try {
    const found = await loadInstanceKey({ ...keyOptionsOf(config), databaseExists: true })
    const log = { warn: () => undefined, error: () => undefined }
    database = config.databaseUrl
      ? await openDatabase({ url: config.databaseUrl, log })
      : await openDatabase({ file, key: fileKeyOf(file, found), frugal: true, log })
    const variables = { names: config.variableNames, known: environmentVariables.map(({ name }) => name) }
    return await runChecks(instanceChecks({ ...config, database, instanceKey: keyCardOf(found), variables }))
  } catch (error) {
    return [checkOf('database', 'fail', (error as Error).message)]
  } finally {
    await database?.close()
  }
}

const isThere = async (file: string): Promise<boolean> =>
  await stat(file).then(
    ({ size }) => size > 0,
    // Missing, or in a folder that is: the same here.
    () => false,
  )
