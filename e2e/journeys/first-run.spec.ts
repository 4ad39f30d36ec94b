/** The first two minutes of a server. */
import { openHouse, password } from '../harness/house.ts'
import { look } from '../harness/look.ts'
import { expect, test } from '../harness/test.ts'

test.describe('with a model at an address', () => {
  const house = openHouse({ empty: true, runtime: false })

  test('a fresh server leads from its administrator over a model to a first answer', async ({ visit }) => {
    const page = await visit(house, null)
    await page.goto('/')
    await expect(page).toHaveURL('/welcome')
    await expect(page.getByRole('heading', { name: 'Set up Atrium' })).toBeVisible()
    await look(page, 'first-run', { reload: true })

    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await expect(page.getByText('7 more characters')).toBeVisible()
    await page.getByRole('button', { name: 'Make the administrator' }).click()
    await expect(page.getByRole('alert')).toContainText('12')
    await page.getByLabel('Password', { exact: true }).fill('password1234')
    await page.getByRole('button', { name: 'Make the administrator' }).click()
    await expect(page.getByRole('alert')).toContainText('one of the first passwords')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Make the administrator' }).click()

    await expect(page.getByRole('heading', { name: 'Where are your models?' })).toBeVisible()
    await page.getByRole('button', { name: 'Enter a URL' }).click()
    await page.getByLabel('Chat-completions URL').fill(`${house.provider.url}/v1/chat/completions`)
    await page.getByLabel('Name', { exact: true }).fill('The model house')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()

    const asked = page.getByRole('alert')
    await expect(asked).toContainText('This is an address in a private network')
    await expect(asked).toContainText(house.provider.address)
    await look(page, 'first-run-models', { themes: ['dark'] })
    await asked.getByRole('button', { name: 'Allow it and connect' }).click()
    await expect(page.getByText('Catalogue updated.')).toBeVisible()
    await page.getByRole('button', { name: /^Start with \d+ models$/ }).click()

    await expect(page).toHaveURL('/')
    await page.getByRole('textbox', { name: 'Message' }).fill('Is anybody there?')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('article').last()).toContainText('You said: Is anybody there?')
  })

  test('what was set up once is not offered to the next visitor', async ({ visit }) => {
    const page = await visit(house, null)
    await page.goto('/welcome')
    await expect(page).toHaveURL('/sign-in')
  })
})

test.describe('without any model', () => {
  const house = openHouse({ empty: true, runtime: false })

  test('a fresh server answers from an attached text at once', async ({ visit }) => {
    const page = await visit(house, null)
    await page.goto('/')
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Make the administrator' }).click()
    await page.getByRole('button', { name: 'Go on without a model' }).click()

    const text = 'The fountain stands in the court.\n\nThe kitchen lies behind the garden, and its door is green.\n'
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    await (await choosing).setFiles({ name: 'house.md', mimeType: 'text/markdown', buffer: Buffer.from(text) })
    await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('tokens')
    await page.getByRole('textbox', { name: 'Message' }).fill('Where is the kitchen?')
    await page.getByRole('button', { name: 'Send' }).click()
    const answer = page.getByRole('article').last()
    await expect(answer).toContainText('its door is green')
    await expect(answer).toContainText('house.md')
  })
})
