/** The tests’ browser: every page is watched for requests that leave for another origin and for errors of scripts. */
import { test as base, expect, type Page } from '@playwright/test'
import type { Account, TestApp } from './test-app.ts'
import { openTabs, type Tab, type TabOptions, type Tabs } from './tabs.ts'

/** `refused`: its pages try what the browser refuses them, of which it says that they are errors. */
export type VisitOptions = TabOptions & { readonly refused?: boolean }
export type Visit = (testApp: TestApp, who: Account | null, options?: VisitOptions) => Promise<Page>

interface Fixtures {
  /** Opens a browser of its own at the app, signed in as an account or as a guest. */
  readonly visit: Visit
}

interface WorkerFixtures {
  readonly tabs: Tabs
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  tabs: [
    async ({ browser }, use) => {
      const tabs = openTabs(browser)
      await use(tabs)
      await tabs.close()
    },
    { scope: 'worker' },
  ],
  visit: async ({ tabs }, use, test) => {
    const taken: Tab[] = []
    const refused = new Set<Tab>()
    await use(async (testApp, who, { refused: isRefused, ...options } = {}) => {
      const home = options.baseURL ?? testApp.url
      const tab = await tabs.take(home, options)
      taken.push(tab)
      if (isRefused) refused.add(tab)
      if (who) {
        const cookie = { name: 'atrium_session', value: who.token, url: home }
        await tab.page.context().addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
      }
      return tab.page
    })
    const foreign: string[] = []
    const errors: string[] = []
    for (const tab of taken) {
      // A tab that is closed is kept as a picture, as it stood when its test failed.
      if (test.status === test.expectedStatus) await tabs.giveBack(tab)
      else await tab.context.close()
      foreign.push(...tab.foreign)
      if (!refused.has(tab)) errors.push(...tab.errors)
    }
    expect(foreign, 'requests for other origins').toEqual([])
    expect(errors, 'errors of scripts').toEqual([])
  },
})

export { expect }

/**
 * For what `npm run test:all` alone walks: the same pages once more on a phone, from right to left or without a mouse,
 * and what tests of the server hold where another journey walks the page.
 */
export const onlyInAll = { tag: '@all' } as const

/** A phone that is held upright. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Two by two pixels, as PNG. */
export const smallPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEUlEQVR4nGPQqMj7D8IMMAYARPAINd35duIAAAAASUVORK5CYII=',
  'base64',
)
