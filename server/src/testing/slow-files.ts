/** Files of tests that need more processor time than others, with what they may use and why. */

/** What any other file may use. What is allowed grows with what a known piece of work takes on the machine (`measurePace`). */
export const usualSeconds = 15

/** What all files together may use: a fifth more than they should, as how quick a machine is can't be told more exactly. */
export const suiteSeconds = 1250

const bothDatabases = 'many accounts and sessions, on both databases'
const processes = 'starts and kills processes of the whole app'
const everyRoute = 'calls every route of the app'
const readers = 'reads files in processes that can be killed'

export const slowFiles: Readonly<Record<string, { readonly seconds: number; readonly reason: string }>> = {
  'server/src/features/automations/sequences.long.test.ts': {
    seconds: 600,
    reason: 'goes through 7,776 orders of six acts',
  },
  'server/src/features/automations/processes.long.test.ts': { seconds: 120, reason: processes },
  'server/src/features/automations/automations.test.ts': {
    seconds: 25,
    reason: 'runs automations and waits for them, on both databases',
  },
  'server/src/features/calendar/limits.long.test.ts': { seconds: 40, reason: 'writes fifty thousand events' },
  'server/src/features/recovery-backup/recovery-backup.test.ts': {
    seconds: 25,
    reason: 'backs up and restores, on both databases',
  },
  'server/src/features/recovery-backup/schedule.test.ts': {
    seconds: 25,
    reason: 'makes backups on both databases and restores them in processes of their own',
  },
  'server/src/app/account-data.test.ts': { seconds: 25, reason: processes },
  'server/src/app/app.test.ts': { seconds: 15, reason: 'starts the app again and again, on both databases' },
  'server/src/app/hostile-model.test.ts': { seconds: 34, reason: 'has a model make 500 calls' },
  'server/src/app/matrix.test.ts': { seconds: 25, reason: everyRoute },
  'server/src/app/small-memory.test.ts': { seconds: 15, reason: processes },
  'server/src/app/sweep.test.ts': { seconds: 30, reason: everyRoute },
  'server/src/app/transfers.test.ts': { seconds: 28, reason: processes },
  'server/src/app/recovery/data-keys.test.ts': { seconds: 20, reason: 'seals a thing of every kind anew' },
  'server/src/app/recovery/going-on.test.ts': { seconds: 25, reason: 'restores again and again, from and to both' },
  'server/src/app/recovery/proof.test.ts': { seconds: 28, reason: processes },
  'server/src/app/recovery/first-restore.test.ts': { seconds: 20, reason: processes },
  'server/src/app/recovery/first-restore.long.test.ts': { seconds: 30, reason: processes },
  'server/src/core/accounts/accounts.test.ts': { seconds: 20, reason: bothDatabases },
  'server/src/core/accounts/lockout/lockout.test.ts': { seconds: 15, reason: bothDatabases },
  'server/src/core/accounts/passkeys/passkeys.test.ts': { seconds: 15, reason: bothDatabases },
  'server/src/core/documents/crash.test.ts': { seconds: 20, reason: processes },
  'server/src/core/documents/documents.test.ts': { seconds: 20, reason: readers },
  'server/src/core/documents/embeddings/embeddings.test.ts': {
    seconds: 15,
    reason: 'works through hundreds of vectors',
  },
  'server/src/features/agent-cli/agent-cli.test.ts': { seconds: 28, reason: 'starts a program for nearly each answer' },
  'server/src/features/agent-cli/chats.test.ts': { seconds: 20, reason: 'starts a program for nearly each answer' },
  'server/src/features/code-interpreter/tool.test.ts': { seconds: 20, reason: 'runs programs, each in a process' },
  'server/src/features/chat/chat.test.ts': { seconds: 20, reason: 'whole answers, on both databases' },
  'server/src/features/chat/crash.test.ts': { seconds: 20, reason: processes },
  'server/src/features/chat/crash-calls.test.ts': { seconds: 25, reason: processes },
  'server/src/features/public-api/faults.test.ts': { seconds: 15, reason: 'each fault of each wire' },
  'server/src/platform/db/search/search.test.ts': { seconds: 15, reason: 'indexes many texts, on both databases' },
  'server/src/platform/db/search/vectors.test.ts': { seconds: 20, reason: 'indexes many vectors, in each way' },
  'server/src/platform/formats/formats.test.ts': { seconds: 15, reason: readers },
  'server/src/platform/formats/hostile.test.ts': { seconds: 32, reason: readers },
  'server/src/platform/sandbox/sandbox.test.ts': { seconds: 28, reason: 'runs hostile programs, each in a process' },
  'server/src/platform/reader/reader.long.test.ts': { seconds: 120, reason: 'reads whole pages, each in several ways' },
  'tools/new-area.test.ts': { seconds: 150, reason: 'runs every check over a copy of the tree with one more area' },
}
