/**
 * What is passed on of the answers of a container engine: a few facts, as plain text. Answers may hold environments,
 * labels, mounts and commands besides; nothing of that leaves this file. Pure, as it may run on a thread.
 */
import { stripVTControlCharacters } from 'node:util'
import type { ContainerEngine } from '@atrium/contract/system-diagnostics'
import { findExceededBound } from '../../../platform/json/shape.ts'

/** The bodies of the three answers. */
export interface ContainerEngineAnswers {
  readonly version: Uint8Array
  readonly info: Uint8Array
  readonly containers: Uint8Array
}
export type ContainerEngineFacts = Omit<ContainerEngine, 'available' | 'socketMounted' | 'reason'>

const mostContainers = 100
/** No engine comes near; what is many small things takes some fifty times its length once it is built. */
const bounds = { depth: 64, members: 1_000_000 }

/** Null where one of them is not what an engine answers. */
export const readAnswers = (answers: ContainerEngineAnswers): ContainerEngineFacts | null => {
  const version = asRecord(parse(answers.version))
  const info = asRecord(parse(answers.info))
  const containers = parse(answers.containers)
  if (!version || !info || !Array.isArray(containers)) return null
  return withoutAbsent({
    serverVersion: textOf(version['Version']) ?? textOf(info['ServerVersion']),
    operatingSystem: textOf(info['OperatingSystem']),
    architecture: textOf(info['Architecture']),
    kernelVersion: textOf(info['KernelVersion']),
    logicalCpus: countOf(info['NCPU']),
    memoryBytes: countOf(info['MemTotal']),
    totalContainers: countOf(info['Containers']),
    runningContainers: countOf(info['ContainersRunning']),
    stoppedContainers: countOf(info['ContainersStopped']),
    pausedContainers: countOf(info['ContainersPaused']),
    containers: listContainers(containers),
  })
}

type Fields = Readonly<Record<string, unknown>>
type Container = NonNullable<ContainerEngine['containers']>[number]

const parse = (bytes: Uint8Array): unknown => {
  const text = new TextDecoder().decode(bytes)
  if (findExceededBound(text, bounds)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const asRecord = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

/** Those that run first, then in the order of the engine: the newest first. */
const listContainers = (items: readonly unknown[]): Container[] => {
  const records = items.map(asRecord).filter((item) => item !== null)
  const [running, others] = [records.filter(isRunning), records.filter((item) => !isRunning(item))]
  return [...running, ...others].slice(0, mostContainers).map(readContainer)
}

const isRunning = ({ State }: Fields): boolean => State === 'running'

const readContainer = (item: Fields): Container => {
  const names: unknown = item['Names']
  const name = textOf(Array.isArray(names) ? names[0] : undefined)
  return {
    id: textOf(item['Id'], 12) ?? '',
    name: name?.replace(/^\/+/, '') ?? '',
    image: textOf(item['Image']) ?? '',
    state: textOf(item['State'], 40) ?? '',
    status: textOf(item['Status']) ?? '',
    createdAt: timeOf(item['Created']),
  }
}

/** The first second of the year 10000, which RFC 3339 cannot write. */
const endOfTime = 253_402_300_800

const timeOf = (seconds: unknown): string | null =>
  typeof seconds === 'number' && seconds > 0 && seconds < endOfTime
    ? new Date(Math.trunc(seconds) * 1000).toISOString()
    : null

const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** Text without sequences for terminals, controls and marks that turn its direction; undefined where nothing is left. */
const textOf = (value: unknown, most = 200): string | undefined => {
  if (typeof value !== 'string') return undefined
  const plain = stripVTControlCharacters(value.slice(0, 10 * most)).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
  return plain.trim().slice(0, most).toWellFormed() || undefined
}

const withoutAbsent = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
