/** Media in a chat: drawn by a model, made by a command, changed, and brought from the gallery. */
import { chatRoutes } from '@atrium/contract/chat'
import { connectionsRoutes } from '@atrium/contract/connections'
import { look } from '../harness/look.ts'
import { answered, ask } from '../harness/talk.ts'
import { openTestApp } from '../harness/test-app.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo', 'painter'] })

test('images are drawn in answers, made by command and changed, and a video goes on alone', async ({ visit }) => {
  const { api } = testApp.admin
  const at = (path: string) => `${testApp.provider.url}/v1/${path}`
  const draws = { draws_in_chat: { responses: ['painter'] }, edit_endpoint: at('images/edits') }
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
        image: { endpoint: at('images/generations'), model_map: ['brush'], config: draws },
        video: { endpoint: at('videos'), model_map: ['film-slow', 'film'], config: {} },
      },
    },
  })
  await api.call(connectionsRoutes.saveKey, { params: { id: 'studio' }, body: { apiKey: 'key' } })
  await api.call(connectionsRoutes.activate, { params: { id: 'studio' } })

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
  await box.fill('Make it blue')
  await look(page, 'chat-make')
  await box.press('Enter')
  await expect(pictures).toHaveCount(2)
  await expect(pictures.last().getByRole('img', { name: 'Make it blue.png' })).toBeVisible()
  expect(testApp.provider.requests.findLast(({ path }) => path === '/v1/images/edits')?.body).toMatchObject({
    files: [{ field: 'image' }],
  })

  await box.fill('/video')
  await page.getByRole('option', { name: 'Create a video' }).click()
  await page.getByRole('combobox', { name: 'Model' }).selectOption({ label: 'film-slow (Studio)' })
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
