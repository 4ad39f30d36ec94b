/**
 * The official conformance suite of the Model Context Protocol, which plays servers to a client. It starts a command for
 * each of its scenarios; ours only passes on what it was told, so that one process plays the client in all of them.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, watch, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parse } from 'yaml'

/** A server that the suite plays. */
export interface Scenario {
  readonly name: string
  readonly serverUrl: string
  /** What the suite tells the client beside. */
  readonly context: Readonly<Record<string, unknown>>
}

export interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  readonly description: string
  readonly errorMessage?: string
}

const home = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'))

/** Tells a folder of a scenario, and waits for the word that it is over. */
const relay = `
mkfifo "$1/$$.over"
printf '%s\\n%s\\n%s\\n' "$MCP_CONFORMANCE_SCENARIO" "$2" "\${MCP_CONFORMANCE_CONTEXT:-null}" > "$1/$$.draft"
mv "$1/$$.draft" "$1/$$.begun"
read over < "$1/$$.over"
`

/** The scenarios for clients that a revision has beside its extensions. */
export const scenariosOf = async (revision: string): Promise<readonly string[]> => {
  const required = parse(await readFile(join(home, 'requirements', `${revision}.yaml`), 'utf8')) as {
    client: string[]
    not_scored: { scenario: string; leg: string; reason: string }[]
  }
  const later = required.not_scored.filter(({ leg, reason }) => leg === 'client' && reason !== 'extension')
  return [...required.client, ...later.map(({ scenario }) => scenario)]
}

/** Has all of a revision played; `play` is the client. Gives what was checked, by scenario. */
export const runConformance = async (
  revision: string,
  play: (scenario: Scenario) => Promise<void>,
): Promise<ReadonlyMap<string, readonly Check[]>> => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-conformance-'))
  const over = new AbortController()
  try {
    const script = join(folder, 'relay.sh')
    await writeFile(script, relay)
    const playing = playAll(folder, play, over.signal)
    const output = join(folder, 'checks')
    const options = ['--requirements', revision, '--timeout', '120000', '--output-dir', output]
    const command = `sh ${script} ${folder}`
    const suite = spawn(process.execPath, [join(home, 'dist/index.js'), 'client', '--command', command, ...options], {
      stdio: 'ignore',
    })
    await new Promise((ended) => suite.on('exit', ended))
    over.abort()
    await playing
    return await readChecks(output)
  } finally {
    over.abort()
    await rm(folder, { recursive: true, force: true })
  }
}

const playAll = async (
  folder: string,
  play: (scenario: Scenario) => Promise<void>,
  over: AbortSignal,
): Promise<void> => {
  const running: Promise<void>[] = []
  try {
    for await (const { eventType, filename } of watch(folder, { signal: over })) {
      if (eventType !== 'rename' || !filename?.endsWith('.begun')) continue
      running.push(playOne(join(folder, filename), play))
    }
  } catch (error) {
    if (!over.aborted) throw error
  }
  await Promise.all(running)
}

const playOne = async (path: string, play: (scenario: Scenario) => Promise<void>): Promise<void> => {
  const [name = '', serverUrl = '', context = 'null'] = (await readFile(path, 'utf8')).split('\n')
  // What a client makes of a server that misbehaves is for the suite to judge.
  await play({ name, serverUrl, context: JSON.parse(context) ?? {} }).catch(() => undefined)
  await writeFile(path.replace('.begun', '.over'), 'over\n')
}

const readChecks = async (output: string): Promise<ReadonlyMap<string, readonly Check[]>> => {
  const files = (await readdir(output, { recursive: true })).filter((file) => file.endsWith('checks.json'))
  const read = await Promise.all(
    files.map(async (file) => {
      // <scenario>-<time>/checks.json
      const scenario = relative('.', dirname(file)).replace(/-\d{4}-\d{2}-\d{2}T.*$/, '')
      return [scenario, JSON.parse(await readFile(join(output, file), 'utf8')) as Check[]] as const
    }),
  )
  return new Map(read)
}
