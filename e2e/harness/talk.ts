/** What people do on the page of a chat, again and again. */
import { expect, type Locator, type Page } from '@playwright/test'

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })
export const sidebar = (page: Page): Locator => page.getByRole('complementary', { name: 'Chats' })
/** The last message of the open chat. */
export const lastMessage = (page: Page): Locator => page.getByRole('article').last()

/** Writes a question into the box and sends it. */
export async function ask(page: Page, question: string): Promise<void> {
  await composer(page).fill(question)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** Waits until the last question has its answer and nothing is being written. */
export async function answered(page: Page): Promise<void> {
  // The first article is the question, which has the same buttons before its answer has begun.
  await expect(page.getByRole('article').nth(1)).toBeAttached()
  await expect(page.locator('article[aria-busy]')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Copy as Markdown' }).last()).toBeAttached()
  await expect(page.getByRole('button', { name: 'Stop the answer' })).toHaveCount(0)
}

/** Resolves once a change that the page is about to send was answered: pages show it before, and a reload cuts it off. */
export const saved = (page: Page, path: string): Promise<unknown> =>
  page.waitForResponse(
    (answer) => answer.request().method() !== 'GET' && new URL(answer.url()).pathname.startsWith(path),
  )

/** Chooses a model by its name, through the picker. */
export async function pickModel(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name: /^Model: |^Choose a model$/ }).first()
  const search = page.getByRole('combobox', { name: 'Search by name, id or provider' })
  // The button becomes narrower once the models are there: a click at its former middle goes past it.
  await expect(async () => {
    // Where it only takes its time to come, a second click would close it.
    if (!(await search.isVisible())) await button.click()
    await expect(search).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await search.fill(name)
  await expect(page.getByRole('grid').getByRole('row').first()).toContainText(name)
  await search.press('Enter')
  await expect(page.getByRole('button', { name: `Model: ${name}` })).toBeVisible()
}

/** The menu of a chat in the list. */
export async function chatMenu(page: Page, title: string): Promise<void> {
  const row = sidebar(page).getByRole('listitem').filter({ hasText: title }).first()
  await row.hover()
  await row.getByRole('button', { name: `Menu for ${title}` }).click()
}
