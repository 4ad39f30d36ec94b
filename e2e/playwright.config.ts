import { defineConfig } from '@playwright/test'
import { chromium } from './chromium.ts'

const browser = await chromium()

/** Two files of journeys run side by side against the built app; each file opens a house of its own. */
export default defineConfig({
  testDir: './journeys',
  outputDir: './results/traces',
  fullyParallel: false,
  workers: 2,
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
