/**
 * Agents that print JSON lines, for tests: `lines-agent.ts <claude|codex|pi> …` takes the arguments of that program and
 * prints the lines of its file, in pieces that end anywhere. The words of the question say what else it does.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [name = '', ...args] = process.argv.slice(2)
const after = (word: string): string | undefined => (args.includes(word) ? args[args.indexOf(word) + 1] : undefined)

if (args.includes('--list-models')) {
  process.stdout.write(
    'provider   model        context  max-out  thinking  images\nanthropic  claude-test  200K     64K      yes       yes   \n',
  )
  process.exit(0)
}

const resume = after('--resume') ?? after('resume') ?? after('--session')
const session = resume ?? `${name}-${process.pid}-${Date.now()}`
const sessionFile = `${session}.words`

const print = async (lines: readonly string[]): Promise<void> => {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  for (let at = 0; at < bytes.length; at += 701) {
    process.stdout.write(bytes.subarray(at, at + 701))
    await new Promise((go) => setImmediate(go))
  }
}

const pictures = args.flatMap((word) => /^(?:--image=|@)(.+)$/.exec(word)?.[1] ?? [])

/** The lines of the file, with what stands for something in its place. */
const linesOf = (words: string, values: Readonly<Record<string, string | number | boolean>> = {}): string[] => {
  const turns = readFileSync(sessionFile, 'utf8').length
  const seen = pictures.map((file) => ` [picture of ${readFileSync(file).length} bytes]`).join('')
  const all = {
    LAST: `I was told: ${words}${seen}`,
    SESSION: session,
    MODEL: after('--model') ?? 'usual',
    INPUT: 100 * turns,
    OUTPUT: 10 * turns,
    ...values,
  }
  const text = readFileSync(new URL(`./lines/${name}.jsonl`, import.meta.url), 'utf8')
  const inText = (value: string | number | boolean): string => JSON.stringify(String(value)).slice(1, -1)
  return Object.entries(all)
    .reduce((filled, [word, value]) => filled.replaceAll(word, inText(value)), text)
    .trimEnd()
    .split('\n')
}

/** Ends or fails where the words say so. */
const obey = async (words: string): Promise<void> => {
  appendFileSync(sessionFile, '.')
  if (words.includes('think first')) await new Promise((go) => setTimeout(go, 500))
  if (words.includes('crash')) process.exit(7)
  if (words.includes('print a line without end')) {
    process.stdout.write('{"type":"')
    for (;;) await new Promise((go) => process.stdout.write('x'.repeat(50_000), go))
  }
  if (words.includes('leave a child')) {
    const child = spawn('sleep', ['300'], { stdio: ['ignore', 'inherit', 'inherit'] })
    await print([
      JSON.stringify({ type: 'item.completed', item: { type: 'agent_message', text: `child ${child.pid}` } }),
    ])
    child.unref()
  }
  if (words.includes('fail without words')) {
    const failure = {
      claude: { type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['It broke.'] },
      codex: { type: 'turn.failed', error: { message: 'It broke.' } },
      pi: { type: 'message_end', message: { role: 'assistant', stopReason: 'error', errorMessage: 'It broke.' } },
    }[name]
    await print([JSON.stringify(failure)])
    process.exit(1)
  }
  if (words.includes('be signed out')) {
    process.stderr.write('unexpected status 401 Unauthorized\n')
    process.exit(1)
  }
}

if (resume !== undefined && !existsSync(sessionFile)) {
  process.stderr.write(`No session found matching '${resume}'\n`)
  process.exit(1)
}

if (name === 'claude') {
  const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const { value, done } = await input.next()
    if (done) process.exit(0)
    return value
  }
  for (;;) {
    const { message } = JSON.parse(await next()) as { message: { content: { type: string; text?: string }[] } }
    const words = message.content.map(({ type, text }) => (type === 'text' ? text : `[${type}]`)).join('')
    await obey(words)
    const asks = words.includes('edit the file')
    const lines = linesOf(words)
    const question = lines.findIndex((line) => line.includes('can_use_tool'))
    if (!asks) {
      await print([...lines.slice(0, 1), ...lines.slice(question + 2)])
      continue
    }
    await print(lines.slice(0, question + 1))
    const { response } = JSON.parse(await next()) as {
      response: { request_id: string; response: { behavior: string } }
    }
    const allowed = response.request_id === 'req_1' && response.response.behavior === 'allow'
    const values = { LAST: allowed ? 'The line is there.' : 'Then not.', RESULT: allowed ? 'Edited.' : 'Refused.' }
    await print(linesOf(words, { ...values, FAILED: !allowed }).slice(question + 1))
  }
} else {
  let words = ''
  for await (const piece of process.stdin) words += String(piece)
  await obey(words)
  await print(linesOf(words))
  if (words.includes('forget it')) rmSync(sessionFile)
}
