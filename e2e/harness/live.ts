/** The connection over which an open page hears what happens elsewhere. */
import type { Page } from '@playwright/test'

/** Resolves once the page that opens next follows its account. Ask before it is opened. */
export const followsAccount = async (page: Page): Promise<void> => {
  const socket = await page.waitForEvent('websocket', (one) => new URL(one.url()).pathname === '/ws')
  await socket.waitForEvent('framereceived')
}
