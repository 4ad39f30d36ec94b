/** A server that dies in the middle of an answer. */
import { openTestApp } from '../harness/test-app.ts'
import { ask, composer, lastMessage, pickModel } from '../harness/talk.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ ownProcess: true, models: ['echo', 'long-400-drip-25'] })
const wordsIn = (text: string) => text.match(/word\d+/g) ?? []

test('after kill -9 in mid-answer the page says so, shows the answer as interrupted, with its text, and goes on', async ({
  visit,
}) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await pickModel(page, 'long-400-drip-25')
  // It stands still after some forty words, and the next twenty take half a second, however busy the machine is.
  testApp.provider.control({ holdAfter: 42 })
  await ask(page, 'A long story')
  const answer = lastMessage(page)
  await expect(answer).toContainText('word40 ')
  testApp.provider.control({ holdAfter: 62 })
  await expect(answer).toContainText('word60 ')
  await testApp.atrium.kill()
  const strip = page.getByRole('banner', { name: 'Notices' })
  await expect(strip).toContainText('Can’t reach the server. Trying again…')
  await composer(page).fill('Written while it was away')
  await testApp.atrium.start()

  await expect(answer).toContainText(/Interrupted at .*, after about \d+ tokens\./)
  const after = wordsIn(await answer.locator('.markdown').innerText())
  // What was written in the last 200 ms may be lost, which is less than those twenty words, and nothing in between.
  expect(after).toEqual(after.map((_, index) => `word${index + 1}`))
  expect(after.length).toBeGreaterThanOrEqual(40)
  await expect(strip).not.toContainText('Can’t reach the server')
  await page.reload()
  await expect(composer(page)).toHaveValue('Written while it was away')
  await expect(answer).toContainText('Interrupted at')
  expect(wordsIn(await answer.locator('.markdown').innerText())).toEqual(after)

  testApp.provider.control({ holdAfter: null })
  await answer.getByRole('button', { name: 'Continue' }).click()
  await expect(answer.getByRole('button', { name: 'Continue' })).toHaveCount(0)
  await expect
    .poll(async () => wordsIn(await answer.locator('.markdown').innerText()).length)
    .toBeGreaterThan(after.length + 5)
  await page.getByRole('button', { name: 'Stop the answer' }).click()
  await expect(answer).toContainText('Stopped by you')
})
