import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './server/src/testing/slowest-first.ts'
import { words } from './web/words-plugin.ts'

/** Minutes of kills, sweeps over every byte: `npm run test:all` alone runs them. */
const long = process.env['ATRIUM_TEST_ALL'] === '1' ? [] : ['**/*.long.test.ts']

export default defineConfig({
  plugins: [words()],
  test: {
    include: [
      'contract/src/**/*.test.ts',
      'server/src/**/*.test.ts',
      'web/src/**/*.test.ts',
      'tools/**/*.test.ts',
      'e2e/{provider,cluster}/**/*.test.ts',
    ],
    // What new areas are made from.
    exclude: ['tools/new-area/**', '**/node_modules/**', ...long],
    // Processes, not threads: what each file costs can be told apart.
    pool: 'forks',
    isolate: false,
    // A third one beside the journeys took longer: each loads the whole server and migrates databases of its own.
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    // Bounds, not waits: a busy machine takes three times as long as a quiet one.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 90_000,
    hookTimeout: 120_000,
    globalSetup: [
      'server/src/testing/temporary.ts',
      'server/src/testing/postgres.ts',
      'server/src/testing/after-all.ts',
    ],
    setupFiles: ['server/src/testing/setup.ts'],
    // What was noted in a whole run is looked at then.
    teardownTimeout: 60_000,
  },
})
