/**
 * Checks that other programs can use the OpenAPI document: makes it, lints it, and makes a TypeScript client from it that
 * is compiled under `--strict`. Ends with 1 when any of these fails.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment, root, run, runtime } from '../runtime.mjs'

const folder = mkdtempSync(join(tmpdir(), 'atrium-client-'))
const document = join(folder, 'openapi.json')
const client = join(folder, 'client.ts')
// Neither usage figures nor a question for a newer version leave this machine.
const env = environment({ REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' })

const commands = [
  [runtime(), [join(root, 'tools', 'api-docs.ts'), '--document', document]],
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
