/** The gallery: uploaded, found, put into an album, opened, and deleted with the way back. */
import { connectionsRoutes } from '@atrium/contract/connections'
import { mediaGalleryRoutes, mediaMakingRoutes } from '@atrium/contract/media-gallery'
import type { Locator, Page } from '@playwright/test'
import { look } from '../harness/look.ts'
import { watchFor } from '../harness/notices.ts'
import { openTestApp } from '../harness/test-app.ts'
import { expect, phone, smallPicture, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

test('pictures are uploaded, kept in albums, opened, and brought back from the trash', async ({ visit }) => {
  const { api } = testApp.admin
  const page = await visit(testApp, testApp.admin)
  await page.goto('/gallery')
  await expect(page.getByText('Nothing here yet')).toBeVisible()
  await look(page, 'gallery-empty')
  await page.locator('input[type=file]').setInputFiles([
    { name: 'harbour.png', mimeType: 'image/png', buffer: smallPicture },
    { name: 'meadow.png', mimeType: 'image/png', buffer: smallPicture },
  ])
  const grid = page.getByRole('list', { name: 'Gallery' })
  await expect(grid.getByRole('listitem')).toHaveCount(2)

  await grid.getByRole('checkbox', { name: 'Select harbour' }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.getByRole('button', { name: 'Add to favourites' }).click()
  await expect(grid.getByLabel('Favourite', { exact: true })).toHaveCount(1)
  await bar.getByRole('button', { name: 'Albums' }).click()
  await page.getByRole('menuitem', { name: 'New album' }).click()
  await page.getByRole('textbox', { name: 'Album name' }).fill('Journeys')
  await page.getByRole('button', { name: 'Create album' }).click()
  await expect(page.getByRole('combobox', { name: 'Album' })).toContainText('Journeys (1)')
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByRole('searchbox', { name: 'Search the gallery' }).fill('meadow')
  await expect(grid.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search the gallery' }).fill('')
  await expect(grid.getByRole('listitem')).toHaveCount(2)
  await look(page, 'gallery')

  await grid.getByRole('link', { name: 'meadow' }).press('ArrowRight')
  await expect(grid.getByRole('link', { name: 'harbour' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(grid.getByRole('checkbox', { name: 'Select harbour' })).toBeChecked()
  await page.keyboard.press('Space')
  await grid.getByRole('link', { name: 'meadow' }).click()
  await expect(page.getByRole('heading', { name: 'meadow', level: 1 })).toBeVisible()
  await page.getByRole('textbox', { name: 'Description' }).fill('A meadow in May')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('img', { name: 'A meadow in May' })).toBeVisible()
  await look(page, 'gallery-item')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('f')
  const viewer = page.getByRole('dialog', { name: 'meadow' })
  await viewer.getByRole('img').dblclick()
  const zoom = viewer.getByRole('button', { name: 'show whole image' })
  await expect(zoom).toHaveText('250%')
  await page.keyboard.press('+')
  await expect(zoom).toHaveText('375%')
  await viewer.getByRole('img').hover()
  await page.mouse.wheel(0, 3000)
  await expect(zoom).toHaveText('100%')
  await look(page, 'gallery-viewer', { themes: ['light'] })
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: 'harbour' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Escape')
  await expect(viewer).toBeHidden()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'harbour', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await expect(page.getByRole('heading', { name: 'meadow', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(async () => (await api.call(mediaGalleryRoutes.list, { query: {} })).items.map(({ title }) => title))
    .toEqual(['meadow.png', 'harbour.png'].map((name) => expect.stringContaining(name.split('.')[0] ?? '')))
})

test('the gallery fits a phone', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin, phone)
  await page.goto('/gallery')
  const grid = page.getByRole('list', { name: 'Gallery' })
  await expect(grid.getByRole('listitem')).toHaveCount(2)
  await look(page, 'gallery-phone')
  await grid.getByRole('link').first().click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
  await look(page, 'gallery-item-phone')
})

test('a picture is made from words, edited and made anew with the same settings, and what fails says why', async ({
  visit,
}) => {
  const { api } = testApp.admin
  const at = (path: string) => `${testApp.provider.url}/v1/${path}`
  const sizes = { sizes: ['512x512', '1024x1024'], default_size: '512x512' }
  const config = Object.assign(sizes, { edit_endpoint: at('images/edits'), supports_mask: true })
  await api.call(connectionsRoutes.installPlugin, {
    body: {
      id: 'painter',
      name: 'Painter',
      type: 'completion',
      endpoint: at('chat/completions'),
      auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' },
      model_map: ['echo'],
      capabilities: {
        image: { endpoint: at('images/generations'), model_map: ['brush'], config },
        video: {
          endpoint: at('videos'),
          model_map: ['film-blocked', 'film-drawn'],
          config: { durations: [4], supports_frames: true },
        },
      },
    },
  })
  await api.call(connectionsRoutes.saveKey, { params: { id: 'painter' }, body: { apiKey: 'key' } })
  await api.call(connectionsRoutes.activate, { params: { id: 'painter' } })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/gallery')
  const box = page.getByRole('form', { name: 'Create' })
  await box
    .getByRole('button', { name: 'Image' })
    .or(box.getByRole('radio', { name: 'Image' }))
    .first()
    .click()
  await box.getByRole('textbox').fill('A boat at dusk')
  await box.getByRole('combobox', { name: 'Model' }).selectOption({ label: 'brush (Painter)' })
  await box.getByRole('combobox', { name: 'Size' }).selectOption('1024x1024')
  await look(page, 'gallery-create')
  await box.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('list', { name: 'Gallery' }).getByRole('link', { name: 'A boat at dusk' }).click()
  await expect(page.getByRole('complementary', { name: 'About this item' })).toContainText('1024 × 1024')
  await page.getByRole('button', { name: 'More like this' }).click()
  await expect(page.getByText('“A boat at dusk” created')).toBeVisible()

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Describe the change' }).fill('At dawn')
  await page.getByRole('checkbox', { name: 'Change only part of the image' }).check()
  const stage = page.getByRole('application', { name: 'Part to change' })
  await paintWithFingers(page, stage)
  await expect.poll(() => isPainted(stage, 0.7)).toBe(true)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => isPainted(stage, 0.7)).toBe(false)
  await stage.press('Enter')
  await look(page, 'gallery-edit')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'At dawn', level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Made from' })).toBeVisible()
  expect(testApp.provider.requests.at(-1)?.body).toMatchObject({ files: [{ field: 'image' }, { field: 'mask' }] })
  await page.getByRole('link', { name: 'Item 1 of 1' }).click()
  await page.getByRole('link', { name: 'Use these settings' }).click()
  await expect(box.getByRole('textbox')).toHaveValue('A boat at dusk')
  await expect(box.getByRole('combobox', { name: 'Size' })).toHaveValue('1024x1024')

  await page.getByRole('list', { name: 'Gallery' }).getByRole('link', { name: 'At dawn' }).click()
  await page.getByRole('link', { name: 'Make a video' }).click()
  await expect(box.getByRole('list', { name: 'First frame' }).getByRole('img')).toHaveCount(1)
  await box.getByRole('textbox').fill('Waves at night')
  await box.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('list', { name: 'In progress' })).toContainText('Waves at night')
  const { jobs } = await api.call(mediaMakingRoutes.videoJobs, { query: { active: 'true' } })
  expect(jobs).toMatchObject([{ options: { firstFrameId: expect.any(String) } }])
  const params = { jobId: jobs[0]?.id ?? '' }
  await expect.poll(async () => (await api.call(mediaMakingRoutes.videoJob, { params })).status).toBe('failed')
  const failed = page.getByRole('list', { name: 'Failed' })
  await expect(failed).toContainText('content filter')
  await look(page, 'gallery-failed')
  await failed.getByRole('button', { name: 'Dismiss' }).click()
  await expect(failed).toHaveCount(0)
  await page.reload()
  await expect(box).toBeVisible()
  await expect(failed).toHaveCount(0)
  // The server decodes no films: the page draws a moment of each that has no thumbnail.
  const surf = { model: 'film-drawn', pluginId: 'painter', prompt: 'Surf' }
  const { id } = await api.call(mediaMakingRoutes.generateVideo, { body: surf })
  await api.call(mediaMakingRoutes.videoJob, { params: { jobId: id } })
  await expect(page.getByRole('link', { name: 'Surf' }).locator('img')).toBeVisible()
  await look(page, 'gallery-made')
  await page.goto('/settings/media')
  await page.getByRole('combobox', { name: 'Images' }).selectOption({ label: 'brush (Painter)' })
  const told = await watchFor(page, 'Saved')
  await page.getByRole('combobox', { name: 'Size' }).selectOption('1024x1024')
  await told()
  await look(page, 'settings-media')
  await page.goto('/gallery')
  await expect(box.getByRole('combobox', { name: 'Size' })).toHaveValue('1024x1024')
})

/** A stroke of one finger from left to right, while another one touches the picture for a moment. */
const paintWithFingers = async (page: Page, stage: Locator): Promise<void> => {
  const box = await stage.boundingBox()
  if (!box) throw new Error('There is nothing to paint on.')
  const at = (id: number, x: number) => ({ id, x: box.x + box.width * x, y: box.y + box.height / 2 })
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: ReturnType<typeof at>[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', at(1, 0.2))
  await touch('touchStart', at(1, 0.2), at(2, 0.9))
  await touch('touchEnd', at(1, 0.2))
  for (const x of [0.4, 0.6, 0.8]) await touch('touchMove', at(1, x))
  await touch('touchEnd')
  await client.detach()
}

/** Whether something is painted so far from the left, half way down. */
const isPainted = (stage: Locator, x: number): Promise<boolean> =>
  stage.locator('canvas').evaluate((element, share) => {
    const canvas = element as unknown as Canvas
    const { data } = canvas.getContext('2d').getImageData(canvas.width * share, canvas.height / 2, 1, 1)
    return (data[3] ?? 0) > 0
  }, x)

/** What is asked of one here; the types of the browser are not those of the journeys. */
interface Canvas {
  readonly width: number
  readonly height: number
  getContext(kind: '2d'): { getImageData(x: number, y: number, w: number, h: number): { data: Uint8ClampedArray } }
}
