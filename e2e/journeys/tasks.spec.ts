/** What people do again and again, with as few clicks as where it takes the fewest. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { connectionsRoutes } from '@atrium/contract/connections'
import type { Page } from '@playwright/test'
import { createClient } from '../../server/src/testing/client.ts'
import { pdf } from '../harness/documents.ts'
import { makeChat, openTestApp, password } from '../harness/test-app.ts'
import { answered, chatMenu, composer, lastMessage, pickModel, sidebar } from '../harness/talk.ts'
import { expect, test } from '../harness/test.ts'

/** Counts what is pressed on a page with the mouse; gives how often that was since the last time. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('clicked', () => {
    clicks += 1
  })
  const listen = "addEventListener('pointerdown', () => window.clicked(), true)"
  await page.addInitScript(listen)
  await page.evaluate(listen)
  return () => {
    const before = clicks
    clicks = 0
    return before
  }
}

test.describe('on a fresh server', () => {
  const testApp = openTestApp({ ownProcess: true, empty: true, runtime: false })

  test('the first answer takes three clicks, from the account over a pasted key to the question', async ({ visit }) => {
    const page = await visit(testApp, null)
    await page.goto('/')
    await expect(page).toHaveURL('/welcome')
    const clicks = await countClicks(page)
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'Connect a model' })).toBeVisible()

    // The model server of the tests takes the place of OpenAI.
    testApp.provider.control({ apiKey: 'sk-proj-right' })
    const session = await createClient(testApp.url).call(accountsRoutes.login, { body: { username: 'ann', password } })
    if (!('token' in session)) throw new Error('this account has no second factor')
    await createClient(testApp.url, session.token).call(connectionsRoutes.saveVariables, {
      params: { id: 'openai' },
      body: { variables: { endpoint: `${testApp.provider.url}/v1/chat/completions` }, allowPrivate: true },
    })
    await page.getByLabel('API key', { exact: true }).fill('sk-proj-right')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const first = page.getByRole('region', { name: 'Ask your first question' })
    await first.getByRole('button', { name: 'Ask' }).click()
    await expect(first.getByRole('article')).toContainText('You said: Introduce yourself')
    expect(clicks()).toBe(3)
  })
})

test.describe('every day', () => {
  const testApp = openTestApp({ models: ['echo', 'markdown'] })

  test('no task takes more clicks than where it takes the fewest', async ({ visit }) => {
    const carla = await testApp.account('carla')
    await testApp.account('ben')
    await makeChat(carla, { title: 'Trip to Ghent', messages: ['Where to?', 'To Ghent.'] })
    const page = await visit(testApp, carla)
    await page.goto('/')
    await expect(composer(page)).toBeVisible()
    const clicks = await countClicks(page)

    // A model that was chosen once is the one of the next chat.
    await pickModel(page, 'markdown')
    await composer(page).fill('Hello')
    await composer(page).press('Enter')
    await answered(page)
    clicks()
    await page.keyboard.press('Control+Shift+O')
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('button', { name: 'Model: markdown' })).toBeVisible()
    expect(clicks(), 'another model for a new chat').toBe(0)

    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Attach files' }).click()
    await (await choosing).setFiles([pdf('kites.pdf', ['Kites fly in the wind.'])])
    await composer(page).fill('Summarise it')
    await composer(page).press('Enter')
    await answered(page)
    expect(clicks(), 'attach a PDF and ask about it').toBe(2)

    await sidebar(page).getByRole('link', { name: 'Trip to Ghent' }).click()
    await expect(lastMessage(page)).toContainText('To Ghent.')
    clicks()
    await page.getByRole('button', { name: 'Share this chat' }).click()
    const window = page.getByRole('dialog', { name: /^Share “/ })
    const person = window.getByRole('combobox', { name: 'Person or group' })
    await person.fill('ben')
    await expect(window.getByRole('option', { name: 'ben' })).toBeVisible()
    await person.press('Enter')
    await window.getByRole('button', { name: 'Share with ben' }).click()
    await expect(window.getByRole('list', { name: 'People with access' })).toContainText('ben')
    expect(clicks(), 'share a chat with somebody').toBe(2)
    await page.keyboard.press('Escape')

    await chatMenu(page, 'Trip to Ghent')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(sidebar(page).getByRole('link', { name: 'Trip to Ghent' })).toBeVisible()
    expect(clicks(), 'delete a chat and take it back').toBe(3)
  })
})
