/** What pages tell in passing: it goes by itself, and several may be on screen at once. */
import { expect, type Locator, type Page } from '@playwright/test'

/** The notice at the bottom of the page with these words. Each has a button to close it, and many have one to undo. */
export const notice = (page: Page, words: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Notifications' }).locator('> div').filter({ hasText: words })

/**
 * Begins to watch for a text that stands on the page for a moment only, which a slow machine would miss from outside.
 * What it gives resolves once the text was there.
 */
export async function watchFor(page: Page, text: string): Promise<() => Promise<void>> {
  await page.evaluate(`(() => {
    globalThis.seenInPassing = false
    const observer = new MutationObserver(() => {
      const isShown = (element) => element.textContent.trim() === ${JSON.stringify(text)} && element.checkVisibility()
      if (![...document.querySelectorAll('body *')].some(isShown)) return
      globalThis.seenInPassing = true
      observer.disconnect()
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  })()`)
  return () => expect.poll(() => page.evaluate('seenInPassing'), { message: text }).toBe(true)
}
