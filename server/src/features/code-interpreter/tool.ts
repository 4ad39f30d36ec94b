/** What models may do with it: run a program. */
import { mostCodeLetters, type CodeNote, type CodeRun } from '@atrium/contract/code-interpreter'
import { z } from 'zod'
import { type Tool, defineTool } from '../../platform/areas/tool.ts'
import type { CodeInterpreterContext } from './context.ts'
import { isPicture, mediaTypeOf } from './media-types.ts'
import type { SandboxFile } from '../../platform/sandbox/index.ts'
import { runProgram } from './run.ts'

/** Longer than a program may run: it may wait for its turn. */
const timeoutMs = 120_000

export const codeTools = (context: CodeInterpreterContext): Tool[] => [
  defineTool({
    name: 'run_code',
    description:
      'Runs a program in Python 3.13 or JavaScript and returns what it prints. Use it to calculate, to work on data and to read or make files. Print what you want to see. There is no network, and there are no packages beside the standard library (no numpy, no pandas); in JavaScript there are the language, console, timers, and the modules fs and path. Files that the user attached are in /files. What you write to /keep is there for later programs of this chat, and what you write to /out (at most 10 files, 10 MB) is given to the user. A program is ended after 30 seconds.',
    arguments: z.strictObject({
      language: z.enum(['python', 'javascript']),
      code: z.string().min(1).max(mostCodeLetters).describe('The whole program'),
    }),
    sideEffect: false,
    readsPrivateData: true,
    readsForeignText: true,
    sendsData: false,
    timeoutMs,
    isAvailable: (accountId, role) => context.features.allows('code-interpreter', accountId, role),
    async run({ language, code }, { accountId, chatId, signal }) {
      if (!(await context.features.allows('code-interpreter', accountId)))
        return { text: 'Running code is not available to this account.', isError: true }
      const program = { accountId, chatId, keepsMade: false, language, code, signal }
      const { run, made } = await runProgram(context, program)
      return {
        text: describeRun(run, made),
        isError: run.end !== 'finished',
        media: made.map(({ path, bytes }) => ({ mediaType: mediaTypeFor(path, bytes), bytes, name: nameOf(path) })),
      }
    },
  }),
]

const nameOf = (path: string): string => path.slice('/out/'.length)

/** A picture is one where its bytes say so, too. */
const mediaTypeFor = (path: string, bytes: Uint8Array): string => {
  const type = mediaTypeOf(path)
  return type.startsWith('image/') && !isPicture(path, bytes) ? 'application/octet-stream' : type
}

const ends: Readonly<Record<Exclude<CodeRun['end'], 'finished'>, string>> = {
  failed: 'The program ended with an error.',
  timeout: 'The program took longer than 30 seconds and was ended. Files that it wrote are lost.',
  memory: 'The program took too much memory and was ended. Files that it wrote are lost.',
  stopped: 'The program was stopped. Files that it wrote are lost.',
  crashed: 'The program’s process ended unexpectedly. Files that it wrote are lost.',
  busy: 'Too many programs are waiting to run. Try again later.',
}

const notes: Readonly<Record<CodeNote, string>> = {
  files_left_out: 'Not all files of the chat fit into /files; the oldest are missing.',
  too_many_out: 'There were more than 10 files in /out; none was given to the user.',
  too_large_out: 'The files in /out were larger than 10 MB; none was given to the user.',
  bad_name_out: 'A file in /out has a name that can’t be used; none was given to the user.',
  too_many_keep: 'There were more than 500 files in /keep; it is as it was before.',
  too_large_keep: 'The files in /keep were larger than 50 MB; it is as it was before.',
  bad_name_keep: 'A file in /keep has a name that can’t be used; it is as it was before.',
  storage_full: 'There is no room for the files that it wrote; they are lost.',
}

/** For the model: what was printed, how it ended, and what there is now. */
export const describeRun = (
  { end, stdout, stderr, droppedBytes, notes: told }: CodeRun,
  made: readonly SandboxFile[],
): string =>
  [
    end === 'finished' ? null : ends[end],
    stdout === '' && stderr === '' && end === 'finished' ? 'The program printed nothing.' : null,
    stdout === '' ? null : stdout.trimEnd(),
    stderr === '' ? null : `Errors:\n${stderr.trimEnd()}`,
    droppedBytes > 0 ? `${droppedBytes} more bytes were printed and are not shown.` : null,
    made.length > 0
      ? `Given to the user: ${made.map(({ path, bytes }) => `${nameOf(path)} (${bytes.byteLength} bytes)`).join(', ')}`
      : null,
    ...told.map((note) => notes[note]),
  ]
    .filter((part) => part !== null)
    .join('\n\n')
