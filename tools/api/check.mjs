/**
 * Whether other programs can use `docs/openapi.json`: it is linted, and a TypeScript client is made from it and compiled
 * under `--strict`. Ends with 1 when either fails.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment, root, run, runtime } from '../runtime.mjs'

const document = join(root, 'docs', 'openapi.json')
const folder = mkdtempSync(join(tmpdir(), 'atrium-client-'))
const client = join(folder, 'client.ts')
// Neither usage figures nor a question for a newer version leave this machine.
const env = environment({ REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' })

const commands = [
  ['redocly', ['lint', document, '--config', join(root, 'tools', 'api', 'redocly.yaml'), '--format=stylish']],
  [
    runtime(),
    [join(root, 'tools', 'api', 'node_modules', 'openapi-typescript', 'bin', 'cli.js'), document, '-o', client],
  ],
  ['tsc', ['--ignoreConfig', '--strict', '--noEmit', '--target', 'es2024', client]],
]
let failed = 0
for (const [command, args] of commands) if ((await run(command, args, { env })) !== 0) failed += 1
rmSync(folder, { recursive: true, force: true })
process.exit(failed === 0 ? 0 : 1)
