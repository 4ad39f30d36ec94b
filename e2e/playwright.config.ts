import { defineConfig } from '@playwright/test'
import { chromium } from './chromium.ts'

const browser = await chromium()
/** No name but those of this machine is known, so nothing that a page asks for elsewhere leaves it. */
const homeOnly = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost']

/** Pages of tests do not live long enough to win back what optimising their scripts costs. */
const asWritten = ['--js-flags=--no-opt,--no-maglev']

/** A microphone that beeps, and is allowed without a question. */
const microphone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/**
 * Three files of journeys run side by side against the built app; each file opens an app of its own, in a process that
 * its worker keeps.
 */
export default defineConfig({
  testDir: './journeys',
  ...(process.env['ATRIUM_TEST_ALL'] === '1' ? {} : { grepInvert: /@all/ }),
  globalSetup: '../server/src/testing/temporary.ts',
  outputDir: './results/traces',
  fullyParallel: false,
  workers: 3,
  timeout: 300_000,
  forbidOnly: true,
  // A second try would hide faults.
  retries: 0,
  // Bounds, not waits: a machine that others use, too, may take ten times as long as a quiet one.
  expect: { timeout: 120_000 },
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ?? 'results/journeys.json' }]],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    actionTimeout: 120_000,
    // Recording costs a third of the time: `--trace on` does it for who looks for a fault.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: browser.executablePath,
      args: [...browser.args, ...homeOnly, ...asWritten, ...microphone],
      env: browser.env,
    },
  },
})
