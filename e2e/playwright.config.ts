import { defineConfig } from '@playwright/test'
import { chromium } from './chromium.ts'

const browser = await chromium()

/** The journeys run one after the other against one built app; each makes the accounts that it needs. */
export default defineConfig({
  testDir: './journeys',
  outputDir: './results/traces',
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  forbidOnly: true,
  // A second try is told as flaky in the last lines of `npm test`, so that it is seen and mended.
  retries: 1,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ?? 'results/journeys.json' }]],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    actionTimeout: 15_000,
    trace: 'retain-on-failure',
    launchOptions: { executablePath: browser.executablePath, args: [...browser.args], env: browser.env },
  },
})
