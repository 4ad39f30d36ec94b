/** Programs in JavaScript and Python, run for a chat or a block of code, and the files that they leave. */
import { z } from 'zod'
import { area } from '../area.ts'
import { AccessMode, Id, PageQuery, ReadSource, Time, page } from '../common.ts'
import { bytes, routes } from '../route.ts'
import { codeInterpreterDescription } from './area.ts'

export const CodeLanguage = z.enum(['javascript', 'python'])
export type CodeLanguage = z.infer<typeof CodeLanguage>

export const mostCodeLetters = 100_000

export const CodeFile = z.strictObject({
  id: Id,
  /** `keep`: for later programs of the chat; `out`: made for the person. */
  folder: z.enum(['keep', 'out']),
  /** Its path in that folder. */
  name: z.string(),
  mediaType: z.string(),
  sizeBytes: z.number().int(),
  createdAt: Time,
})
export type CodeFile = z.infer<typeof CodeFile>

/** How a program ended; see `docs/code-interpreter.md`. */
export const CodeEnd = z.enum(['finished', 'failed', 'timeout', 'memory', 'stopped', 'crashed', 'busy'])
export type CodeEnd = z.infer<typeof CodeEnd>

/** What of its files was not taken along or not kept, and why. */
export const CodeNote = z.enum([
  'files_left_out',
  'too_many_out',
  'too_large_out',
  'bad_name_out',
  'too_many_keep',
  'too_large_keep',
  'bad_name_keep',
  'storage_full',
])
export type CodeNote = z.infer<typeof CodeNote>

export const CodeRun = z.strictObject({
  end: CodeEnd,
  stdout: z.string(),
  stderr: z.string(),
  /** Of both, in bytes, what was dropped. */
  droppedBytes: z.number().int(),
  durationMs: z.number().int(),
  /** What it made for the person. */
  files: z.array(CodeFile),
  notes: z.array(CodeNote),
})
export type CodeRun = z.infer<typeof CodeRun>

const Access = z.strictObject({
  /** Whether the caller may run code. */
  allowed: z.boolean(),
  mode: AccessMode,
  source: ReadSource,
})
export type CodeAccess = z.infer<typeof Access>

export const codeInterpreterRoutes = routes({
  access: {
    method: 'get',
    path: '/api/code-interpreter/access',
    access: 'user',
    summary: 'Get who can run code',
    returns: Access,
  },
  updateAccess: {
    method: 'put',
    path: '/api/code-interpreter/access',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set who can run code',
    body: z.strictObject({ mode: AccessMode }),
    returns: Access,
    errors: ['setting_locked'],
  },
  run: {
    method: 'post',
    path: '/api/code-interpreter/runs',
    access: 'user',
    limit: 'generate',
    audit: 'code.run',
    summary: 'Run a program and wait for it to end. Closing the request stops it',
    body: z.strictObject({
      language: CodeLanguage,
      code: z.string().min(1).max(mostCodeLetters),
      /** One’s own chat, whose files it reads; without one it has none, and keeps none. */
      chatId: Id.nullable(),
    }),
    returns: CodeRun,
    errors: ['code_interpreter_off', 'chat_not_found'],
  },
  files: {
    method: 'get',
    path: '/api/code-interpreter/files',
    access: 'user',
    summary: 'List the files that programs left in a chat',
    /** Without a chat: of programs that belonged to none. */
    query: z.strictObject({ chatId: Id.optional() }),
    returns: z.strictObject({ items: z.array(CodeFile) }),
    errors: ['chat_not_found'],
  },
  kept: {
    method: 'get',
    path: '/api/code-interpreter/kept',
    access: 'user',
    summary: 'List the files that programs keep for later runs, over all of your chats, newest first',
    query: PageQuery,
    returns: page(CodeFile.extend({ chatId: Id })).extend({
      /** Of all of it; it counts towards the storage of the account. */
      totalBytes: z.number().int(),
    }),
    errors: ['bad_cursor'],
  },
  content: {
    method: 'get',
    path: '/api/code-interpreter/files/{fileId}/content',
    names: 'own',
    access: 'user',
    summary: 'Download a file that a program left',
    params: z.strictObject({ fileId: Id }),
    returns: bytes,
    errors: ['code_file_not_found'],
  },
  removeFile: {
    method: 'delete',
    path: '/api/code-interpreter/files/{fileId}',
    names: 'own',
    access: 'user',
    summary: 'Delete a file that a program left',
    params: z.strictObject({ fileId: Id }),
    returns: z.strictObject({}),
    errors: ['code_file_not_found'],
  },
})

export const codeInterpreterArea = area(codeInterpreterDescription, {
  routes: codeInterpreterRoutes,
  shapes: { CodeFile, CodeRun },
})
