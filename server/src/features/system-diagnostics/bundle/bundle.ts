/**
 * The support bundle: what somebody must know of an instance who helps with it, as one archive that can be handed on. It
 * holds no secrets and nothing that people wrote; each of its files comes from a source that promises so.
 */
import { versions } from 'node:process'
import type { InstanceHistory, InstanceReport, SystemReport } from '@atrium/contract/system-diagnostics'
import { type ArchiveFile, bytesOf, jsonBytes, writeArchive } from '../../../platform/archive/write.ts'
import { type AppliedMigration, listMigrations } from '../../../platform/db/index.ts'
import { type DiagnosticCheck, runChecks } from '../../../platform/diagnostics/checks.ts'
import type { BytesAnswer } from '../../../platform/http/area.ts'
import { maskText } from '../../../platform/log/mask.ts'
import type { RecentLines } from '../../../platform/log/recent-lines.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { SettingDescription, VariableDescription } from '../../../platform/settings/index.ts'
import { bundleText } from './text.ts'

export interface Configuration {
  readonly variables: readonly VariableDescription[]
  readonly settings: readonly SettingDescription[]
}

export interface BundleDeps extends Pick<Platform, 'clock' | 'version'> {
  readonly database: Parameters<typeof listMigrations>[0]
  /** What all areas can check. */
  readonly areaChecks: () => readonly DiagnosticCheck[]
  readonly configuration: () => Promise<Configuration>
  readonly recentLines: Pick<RecentLines, 'list'>
  readonly report: () => Promise<SystemReport>
  readonly instance: () => Promise<InstanceReport>
  readonly history: () => InstanceHistory
}

/** Gives a function that looks at everything anew and answers with the archive. */
export const createBundle = (deps: BundleDeps) => async (): Promise<BytesAnswer> => {
  const now = deps.clock.now()
  const file = (name: string, content: ArchiveFile['content']): ArchiveFile => ({
    name,
    modifiedAt: now,
    pack: true,
    content,
  })
  const [system, instance, doctor, configuration, migrations] = await Promise.all([
    readPart(deps.report),
    readPart(deps.instance),
    readPart(() => runChecks(deps.areaChecks(), { nameless: true })),
    readPart(deps.configuration),
    readPart(async () => (await listMigrations(deps.database)).map(toMigration)),
  ])
  const files = [
    file('README.txt', bytesOf([bundleText])),
    file('system.json', jsonBytes(system)),
    file('instance.json', jsonBytes(instance)),
    file('history.json', jsonBytes(deps.history())),
    file('doctor.json', jsonBytes(doctor)),
    file('configuration.json', jsonBytes(configuration)),
    file('versions.json', jsonBytes({ atrium: deps.version, ...versions })),
    file('migrations.json', jsonBytes(migrations)),
    file('log.jsonl', bytesOf(deps.recentLines.list().map((line) => `${line}\n`))),
  ]
  const time = new Date(now).toISOString()
  return {
    mediaType: 'application/zip',
    fileName: `atrium-support-${time.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}.zip`,
    disposition: 'attachment',
    body: writeArchive(iterate(files)),
  }
}

/** What cannot be read is told in its place: a bundle is wanted most while something is broken. */
const readPart = async <T>(read: () => Promise<T>): Promise<T | { readonly unreadable: string }> => {
  try {
    return await read()
  } catch (error) {
    return { unreadable: maskText((error as Error).message) }
  }
}

const toMigration = ({ id, appliedAt, version }: AppliedMigration) => ({
  id,
  appliedAt: new Date(appliedAt).toISOString(),
  version,
})

async function* iterate(files: readonly ArchiveFile[]): AsyncIterable<ArchiveFile> {
  yield* files
}
