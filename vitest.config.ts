import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './server/src/testing/slowest-first.ts'
import { words } from './web/words-plugin.ts'

export default defineConfig({
  plugins: [words()],
  test: {
    include: [
      'contract/src/**/*.test.ts',
      'server/src/**/*.test.ts',
      'web/src/**/*.test.ts',
      'tools/**/*.test.ts',
      'e2e/provider/**/*.test.ts',
    ],
    // What new areas are made from.
    exclude: ['tools/new-area/**', '**/node_modules/**'],
    // Processes, not threads: what each file costs can be told apart.
    pool: 'forks',
    isolate: false,
    // Much of the time is spent waiting for databases and processes, so a worker more than two cores keeps both busy.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
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
