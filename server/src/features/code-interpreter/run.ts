/** Runs a program for an account, with the files of a chat, and keeps what it leaves. */
import type { CodeLanguage, CodeNote, CodeRun } from '@atrium/contract/code-interpreter'
import { isRefusal } from '../../platform/http/refusal.ts'
import { type SandboxFile, type SandboxOutcome } from '../../platform/sandbox/index.ts'
import type { CodeInterpreterContext } from './context.ts'
import { readGivenFiles } from './given-files.ts'
import { type StoredFile, toCodeFile } from './store.ts'

export interface Program {
  readonly accountId: string
  /** An own chat, which is there; null: without files. */
  readonly chatId: string | null
  /** Whether what it makes is kept here for a day: a call of a tool keeps it with the call. */
  readonly keepsMade: boolean
  readonly language: CodeLanguage
  readonly code: string
  readonly signal: AbortSignal
}

export interface RanProgram {
  readonly run: CodeRun
  /** What it made. */
  readonly made: readonly SandboxFile[]
}

/** What a person made with a button is no part of an answer. */
const shortLifeMs = 24 * 60 * 60_000

/** Runs a program with the files of its chat, and keeps what it leaves. */
export const runProgram = async (context: CodeInterpreterContext, program: Program): Promise<RanProgram> => {
  const { accountId, chatId, language, code, signal } = program
  let isLeftOut = false
  let before: readonly StoredFile[] = []
  const readFiles = async (): Promise<SandboxFile[]> => {
    if (chatId === null) return []
    const given = await readGivenFiles(await listGiven(context, accountId, chatId))
    isLeftOut = given.leftOut
    before = await context.store.ofChat(accountId, chatId, 'keep')
    return [...given.files, ...(await readKept(context, accountId, before))]
  }
  const outcome = await context.sandbox.run({ accountId, language, code, readFiles, signal })
  const notes: CodeNote[] = [...(isLeftOut ? (['files_left_out'] as const) : []), ...outcome.problems.map(noteOf)]
  const left = await keepFiles(context, program, outcome, before)
  const { end, stdout, stderr, droppedBytes, durationMs } = outcome
  const run = { end, stdout, stderr, droppedBytes, durationMs, files: left.files.map(toCodeFile) }
  return { run: { ...run, notes: [...notes, ...left.notes] }, made: outcome.out }
}

const noteOf = ({ folder, problem }: SandboxOutcome['problems'][number]): CodeNote =>
  `${problem}_${folder === '/out' ? 'out' : 'keep'}`

const listGiven = async (
  { listAttachments, listDocuments }: CodeInterpreterContext,
  accountId: string,
  chatId: string,
) => [...(await listDocuments(accountId, chatId)), ...((await listAttachments(accountId, chatId)) ?? [])]

const readKept = async (
  { files }: CodeInterpreterContext,
  accountId: string,
  rows: readonly StoredFile[],
): Promise<SandboxFile[]> => {
  const read: SandboxFile[] = []
  for (const { id, name } of rows) {
    const bytes = await files.read(accountId, id)
    if (bytes) read.push({ path: `/keep/${name}`, bytes })
  }
  return read
}

/** Keeps what is for later, and what it made. Where there is no room for all of it, nothing of it is kept. */
const keepFiles = async (
  context: CodeInterpreterContext,
  { accountId, chatId, keepsMade }: Program,
  { out, kept, removed }: SandboxOutcome,
  before: readonly StoredFile[],
): Promise<{ readonly files: StoredFile[]; readonly notes: CodeNote[] }> => {
  const now = context.clock.now()
  const saved: StoredFile[] = []
  const save = async (file: SandboxFile, folder: StoredFile['folder']): Promise<void> => {
    const id = await context.files.save(accountId, file.bytes)
    const name = file.path.slice(folder.length + 2)
    const expires = folder === 'out' ? now + shortLifeMs : null
    const size = file.bytes.byteLength
    const row = { id, account_id: accountId, chat_id: chatId, folder, name, size_bytes: size, created_at: now }
    saved.push({ ...row, expires_at: expires })
  }
  try {
    if (keepsMade) for (const file of out) await save(file, 'out')
    if (chatId !== null) for (const file of kept) await save(file, 'keep')
    // Deleted meanwhile: nothing of it is kept for a chat that is gone.
    if (chatId !== null && (await context.listAttachments(accountId, chatId)) === null) {
      await context.files.remove(saved.map(({ id }) => id))
      return { files: [], notes: [] }
    }
    const gone = new Set([...removed, ...kept.map(({ path }) => path)])
    const replaced = before.filter(({ name }) => gone.has(`/keep/${name}`)).map(({ id }) => id)
    const made = saved.filter(({ folder }) => folder === 'out')
    const full = saved.length + replaced.length > 0 ? await context.store.replace(saved, replaced) : null
    if (full === null) return { files: made, notes: [] }
    // Another program of the chat kept something meanwhile, and both do not fit.
    await context.files.remove(saved.filter(({ folder }) => folder === 'keep').map(({ id }) => id))
    if (made.length > 0) await context.store.replace(made, [])
    return { files: made, notes: [full] }
  } catch (error) {
    await context.files.remove(saved.map(({ id }) => id))
    if (isRefusal(error) && (error.code === 'quota_full' || error.code === 'storage_full'))
      return { files: [], notes: ['storage_full'] }
    throw error
  }
}
