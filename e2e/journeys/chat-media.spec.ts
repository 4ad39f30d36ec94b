/** Media in a chat: drawn by a model, made by a command, changed, and brought from the gallery. */
import { chatRoutes } from '@atrium/contract/chat'
import { connectionsRoutes } from '@atrium/contract/connections'
import { usageRoutes } from '@atrium/contract/usage'
import { look } from '../harness/look.ts'
import { answered, ask } from '../harness/talk.ts'
import { openTestApp } from '../harness/test-app.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo', 'painter'] })

test('images are drawn in answers, made by command and changed, and a video goes on alone', async ({ visit }) => {
  const { api } = testApp.admin
  const at = (path: string) => `${testApp.provider.url}/v1/${path}`
  const edits = { edit_endpoint: at('images/edits'), supports_mask: true, sizes: ['512x512', '1024x1024'] }
  const draws = Object.assign(edits, { draws_in_chat: { responses: ['painter'] } })
  await api.call(connectionsRoutes.installPlugin, {
    body: {
      id: 'studio',
      name: 'Studio',
      type: 'completion',
      endpoint: at('responses'),
      api_mode: 'responses',
      auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' },
      model_map: ['painter'],
      capabilities: {
        image: { endpoint: at('images/generations'), model_map: ['brush', 'stall-headers'], config: draws },
        video: {
          endpoint: at('videos'),
          model_map: ['film-slow', 'film'],
          config: { durations: [4], default_duration: 4 },
        },
      },
    },
  })
  await api.call(connectionsRoutes.saveKey, { params: { id: 'studio' }, body: { apiKey: 'key' } })
  await api.call(connectionsRoutes.activate, { params: { id: 'studio' } })
  await api.call(usageRoutes.addTariff, {
    body: {
      providerId: 'studio',
      model: 'film-slow',
      effectiveFrom: new Date(0).toISOString(),
      inputPerMillion: null,
      cachedPerMillion: null,
      outputPerMillion: null,
      unitPrice: null,
      secondPrice: '0.25',
    },
  })

  const page = await visit(testApp, testApp.admin)
  const selection = { providerType: 'plugin', providerId: 'studio', model: 'painter' } as const
  const { id } = await api.call(chatRoutes.create, { body: { selection } })
  await page.goto(`/chats/${id}`)
  await ask(page, 'A red fox')
  await answered(page)
  const pictures = page.getByRole('list', { name: 'Images' })
  await expect(pictures.getByRole('img', { name: 'A red fox.png' })).toBeVisible()
  await look(page, 'chat-drawn')

  await pictures.getByRole('button', { name: 'Edit this image' }).click()
  const box = page.getByRole('textbox', { name: 'Message' })
  await expect(page.getByText('Create an image', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Change only part…' }).click()
  await page.getByRole('application', { name: 'Part to change' }).press('Enter')
  await look(page, 'chat-mask')
  await page.getByRole('button', { name: 'Use this part' }).click()
  await expect(page.getByRole('button', { name: 'Change the marked part…' })).toBeVisible()
  await box.fill('Make it blue')
  await look(page, 'chat-make')
  await box.press('Enter')
  await expect(pictures).toHaveCount(2)
  await expect(pictures.last().getByRole('img', { name: 'Make it blue.png' })).toBeVisible()
  expect(testApp.provider.requests.findLast(({ path }) => path === '/v1/images/edits')?.body).toMatchObject({
    files: [{ field: 'image' }, { field: 'mask' }],
  })

  await page.getByRole('button', { name: 'Create an image' }).click()
  await page.getByRole('combobox', { name: 'Size' }).selectOption('1024x1024')
  await page.getByRole('combobox', { name: 'Number of images' }).selectOption('2')
  await box.fill('Two boats')
  await box.press('Enter')
  await expect(pictures).toHaveCount(3)
  await expect(pictures.last().getByRole('img')).toHaveCount(2)
  await look(page, 'chat-made')
  expect(testApp.provider.requests.findLast(({ path }) => path === '/v1/images/generations')?.body).toMatchObject({
    size: '1024x1024',
    n: 2,
  })
  // What is asked for meanwhile waits, and is made as the chat remembers.
  const model = page.getByRole('combobox', { name: 'Model' })
  await page.getByRole('button', { name: 'Create an image' }).click()
  await model.selectOption({ label: 'stall-headers (Studio)' })
  await box.fill('Never done')
  await box.press('Enter')
  await page.getByRole('button', { name: 'Create an image' }).click()
  await model.selectOption({ label: 'brush (Studio)' })
  await expect(page.getByRole('combobox', { name: 'Size' })).toHaveValue('1024x1024')
  await box.fill('Later')
  await box.press('Enter')
  const queue = page.getByRole('region', { name: 'Queued' })
  await expect(queue.getByText('Creates an image')).toBeAttached()
  await page.getByRole('button', { name: 'Stop the answer', exact: true }).click()
  await queue.getByRole('button', { name: 'Resume' }).click()
  await expect(pictures.last().getByRole('img', { name: 'Later.png' })).toBeVisible()
  await answered(page)
  await box.press('ArrowUp')
  await page.getByRole('textbox', { name: 'Your message' }).fill('Sooner')
  await page.getByRole('button', { name: 'Save and resend' }).click()
  await expect(pictures.last().getByRole('img', { name: 'Sooner.png' })).toBeVisible()

  await box.fill('/video')
  await page.getByRole('option', { name: 'Create a video' }).click()
  await page.getByRole('combobox', { name: 'Model' }).selectOption({ label: 'film-slow (Studio)' })
  await expect(page.getByText('Cost: $1.00')).toBeVisible()
  await box.fill('Waves at night')
  await box.press('Enter')
  const film = page.getByRole('group', { name: 'Video' })
  await expect(film).toBeVisible()
  await page.reload()
  await expect(film).toBeVisible()
  await look(page, 'chat-video')
  await film.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Stopped.', { exact: true })).toBeVisible()

  await page.goto('/gallery')
  await page.getByRole('list', { name: 'Gallery' }).getByRole('link', { name: 'A red fox' }).click()
  await page.getByRole('button', { name: 'Put in a chat' }).click()
  await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('A red fox.png')
})
