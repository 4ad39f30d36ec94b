import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './server/src/testing/slowest-first.ts'
import { words } from './web/words-plugin.ts'

/** Minutes of kills, sweeps over every byte: `npm run test:all` alone runs them. */
const long = process.env['ATRIUM_TEST_ALL'] === '1' ? [] : ['**/*.long.test.ts']

const ofEveryFile = {
  // What new areas are made from.
  exclude: ['tools/new-area/**', '**/node_modules/**', ...long],
  // Processes, not threads: what each file costs can be told apart.
  pool: 'forks',
  isolate: false,
  // Bounds, not waits: a machine that others use, too, may take ten times as long as a quiet one.
  expect: { poll: { timeout: 120_000 } },
  testTimeout: 300_000,
  hookTimeout: 300_000,
  setupFiles: ['server/src/testing/setup.ts'],
} as const

/** Node runs it as it runs the product: nothing is transformed, and what it compiled is kept for the next run. */
const asItIs = { viteModuleRunner: false, nodeLoader: false }

const server = {
  ...ofEveryFile,
  name: 'server',
  include: [
    'contract/src/**/*.test.ts',
    'server/src/**/*.test.ts',
    'tools/**/*.test.ts',
    'e2e/{provider,cluster}/**/*.test.ts',
  ],
  experimental: asItIs,
} as const

/** Words and components are made by Vite. */
const web = {
  ...ofEveryFile,
  name: 'web',
  include: ['web/src/**/*.test.ts'],
  experimental: { viteModuleRunner: true },
} as const

export default defineConfig({
  test: {
    projects: [{ test: server }, { plugins: [words()], test: web }],
    // A third one beside the journeys took longer: each loads the whole server and migrates databases of its own.
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    experimental: asItIs,
    // Once in a run: they give all projects one PostgreSQL server and one folder.
    globalSetup: [
      'server/src/testing/temporary.ts',
      'server/src/testing/postgres.ts',
      'server/src/testing/after-all.ts',
    ],
    // What was noted in a whole run is looked at then.
    teardownTimeout: 60_000,
  },
})
