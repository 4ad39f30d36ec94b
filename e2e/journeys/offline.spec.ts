/** The installed app, and a network that comes and goes. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import { look } from '../harness/look.ts'
import { makeChat, openTestApp, password } from '../harness/test-app.ts'
import { answered, composer, lastMessage } from '../harness/talk.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })
// A name of this machine that needs a network in the eyes of the page, as every other server does.
const options = () => ({
  baseURL: testApp.url.replace('127.0.0.1', 'atrium.localhost'),
  serviceWorkers: 'allow' as const,
})

test('the app can be installed: its manifest is whole, and every picture of it is there', async ({ visit }) => {
  const page = await visit(testApp, null)
  await page.goto('/sign-in')
  const href = await page.locator('link[rel="manifest"]').getAttribute('href')
  const answer = await page.request.get(href ?? '')
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = (await answer.json()) as Record<string, unknown> & {
    icons: { src: string; sizes: string; type: string; purpose?: string }[]
  }
  expect(manifest).toMatchObject({ name: 'Atrium', start_url: '/', scope: '/', display: 'standalone' })
  expect(manifest.icons.map((icon) => icon.sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  expect(manifest.icons.some((icon) => icon.purpose?.includes('maskable'))).toBe(true)
  for (const icon of manifest.icons) {
    const picture = await page.request.get(icon.src)
    expect(picture.status(), icon.src).toBe(200)
    expect(picture.headers()['content-type'], icon.src).toContain(icon.type)
  }
})

test('where no socket gets through, the page hears what happens elsewhere all the same', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin, options())
  await page.addInitScript(() => {
    globalThis.WebSocket = class {
      constructor() {
        throw new Error('There are none here.')
      }
    } as unknown as typeof WebSocket
  })
  const streaming = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/events')
  await page.goto('/')
  await streaming
  await makeChat(testApp.admin, { title: 'Made elsewhere', messages: ['Hello'] })
  await expect(page.getByRole('link', { name: 'Made elsewhere' })).toBeVisible()
})

/** What the store on the device holds, by names; it is not opened before the app has made it. */
const keptNames = `(async () => {
  const databases = (await indexedDB.databases()).map(({ name }) => name)
  if (!databases.includes('atrium-offline')) return []
  const database = await new Promise((resolve) => {
    indexedDB.open('atrium-offline').onsuccess = ({ target }) => resolve(target.result)
  })
  const names = await new Promise((resolve) => {
    database.transaction('entries').objectStore('entries').getAllKeys().onsuccess = ({ target }) => resolve(target.result)
  })
  database.close()
  return names
})()`

test('without a network the page says so, keeps what is typed, and sends it when the network is back', async ({
  visit,
}) => {
  const said = ['Where are we?', 'Past Lyon.', 'When are we there?', 'At six.', 'Is there a signal?', 'For now.']
  const id = await makeChat(testApp.admin, { title: 'On the train', messages: said })
  await makeChat(testApp.admin, { title: 'Left at home', messages: ['Where is it?'] })
  const page = await visit(testApp, testApp.admin, options())
  const temporary = await testApp.admin.api.call(chatRoutes.create, { body: { temporary: true } })
  await page.goto(`/chats/${temporary.id}`)
  await page.getByRole('link', { name: 'On the train' }).first().click()
  await expect(lastMessage(page)).toContainText('For now.')
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  const strip = page.getByRole('banner', { name: 'Notices' })
  // Once the page has come to rest, what was read is kept on the device.
  const kept = [accountsRoutes.me.path, settingsRoutes.read.path, `${chatRoutes.read.path} ${id}`]
  await expect.poll(() => page.evaluate(keptNames)).toEqual(expect.arrayContaining(kept))
  // What ends by itself is not.
  expect(await page.evaluate(keptNames)).not.toContain(`${chatRoutes.read.path} ${temporary.id}`)
  // A look at its end from elsewhere keeps all of it.
  const looked = page.waitForResponse((response) => response.url().endsWith(`${id}?limit=4`))
  await page.getByRole('link', { name: 'New chat' }).first().click()
  await expect(page).toHaveURL('/')
  await page.getByRole('link', { name: 'On the train' }).first().hover()
  await looked
  await page.context().setOffline(true)
  await expect(strip).toContainText('You’re offline.')
  await page.getByRole('link', { name: 'On the train' }).first().click()
  await expect(lastMessage(page)).toContainText('For now.')
  await composer(page).fill('Written in a tunnel')

  // The app itself is there without a network, and what was read last with it.
  await page.reload()
  await expect(lastMessage(page)).toContainText('For now.')
  await expect(page.getByText('Where are we?')).toBeAttached()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(lastMessage(page)).toContainText('For now.')
  await expect(strip).not.toContainText('You’re offline.')
  await expect(composer(page)).toHaveValue('Written in a tunnel')
  await composer(page).press('Enter')
  await expect(lastMessage(page)).toContainText('You said: Written in a tunnel')
  // A question that is written while an answer still runs waits in line instead.
  await answered(page)

  // A chat that is not open is not promised, and opens later; a message says when it goes out, and does.
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Left at home' }).first().click()
  await expect(page.getByText('It opens as soon as you’re back online.')).toBeVisible()
  await page.goBack()
  await composer(page).fill('Sent in a tunnel')
  await composer(page).press('Enter')
  await expect(lastMessage(page)).toContainText('Sends when you’re back online')
  await page.context().setOffline(false)
  await expect(lastMessage(page)).toContainText('You said: Sent in a tunnel')
  await answered(page)

  // A page that was closed meanwhile has it in its box, unless its last try, on the way out, reached the server.
  await page.context().setOffline(true)
  await composer(page).fill('Closed in a tunnel')
  await composer(page).press('Enter')
  await expect(lastMessage(page)).toContainText('Sends when you’re back online')
  await page.reload()
  await expect(lastMessage(page)).toBeVisible()
  await page.context().setOffline(false)
  const box = composer(page)
  await expect(box).toBeEnabled()
  const inBoxOrSent = async () => `${await box.inputValue()}${await lastMessage(page).textContent()}`
  await expect.poll(inBoxOrSent).toContain('Closed in a tunnel')
})

test('files that another app shares are attached to a new chat once, also after a sign-in', async ({ visit }) => {
  const other = await testApp.account('sharer')
  // Of another origin, and within reach: it shows a page of another website, which the test writes itself.
  const page = await visit(testApp, testApp.admin, { ...options(), elsewhere: testApp.url })
  const uploads: string[] = []
  page.on('request', (request) => request.url().includes('/api/chat/attachments') && uploads.push(request.url()))
  await page.goto('/')
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await page.reload()
  await page.waitForFunction('navigator.serviceWorker.controller !== null')
  // As the system posts what was shared.
  const share = (...names: string[]) => page.evaluate(post(names, '/share'))
  const kept = () =>
    page.evaluate("caches.open('shared-files').then((cache) => cache.keys()).then((keys) => keys.length > 0)")
  const card = page.getByRole('region', { name: 'Shared files' })
  const add = card.getByRole('button', { name: 'Add to chat' })
  const discard = card.getByRole('button', { name: 'Discard' })

  // Nothing is uploaded before somebody says so.
  await share('figures.csv')
  await expect(card).toContainText('A file was shared with Atrium')
  await expect(card).toContainText('figures.csv')
  await expect(card).toContainText('7 bytes')
  await expect(composer(page)).toHaveText(/What is in it\?/)
  expect(uploads).toEqual([])
  await look(page, 'shared-files', { themes: ['light', 'dark'] })
  await page.setViewportSize(phone.viewport)
  await look(page, 'shared-files-phone', { themes: ['light', 'dark'] })
  await page.setViewportSize({ width: 1440, height: 900 })
  await add.press('Enter')
  await expect(composer(page)).toBeFocused()
  await expect(card).toHaveCount(0)
  await expect(page.getByText('figures.csv')).toBeVisible()
  await expect.poll(kept).toBe(false)
  expect(uploads).toHaveLength(1)

  // The composer's bounds hold; what is discarded is gone.
  await share(...Array.from({ length: 21 }, (_, at) => `page-${at}.csv`), 'large.csv')
  await expect(card).toContainText('20 files were shared with Atrium')
  await expect(card).not.toContainText('page-20.csv')
  await expect(page.getByText('Shared files over 10 MB weren’t taken.')).toBeVisible()
  await expect(page.getByText('At most 20 shared files can wait here.')).toBeVisible()
  await discard.press('Enter')
  await expect(card).toHaveCount(0)
  await expect.poll(kept).toBe(false)

  // What no worker took came to the server, which leads here.
  await page.goto('/share?files=not-received')
  await expect(page.getByText('The shared files couldn’t be taken. Share them again.')).toBeVisible()

  // Another website is refused where it can be told, and has to be let in by the person where it hides.
  for (const referrer of ['origin', 'no-referrer']) {
    const elsewhere = `${testApp.url}/elsewhere`
    const html = `<!doctype html><meta name="referrer" content="${referrer}"><title>Elsewhere</title>`
    await page.route(elsewhere, (route) => route.fulfill({ contentType: 'text/html', body: html }))
    await page.goto(elsewhere)
    await page.evaluate(post(['planted.csv'], `${options().baseURL}/share`))
    await expect(composer(page)).toBeVisible()
    if (referrer === 'origin') await expect(page.getByText('Another website tried to share something')).toBeVisible()
    else await expect(card).toContainText('planted.csv')
  }
  await discard.click()
  await expect.poll(kept).toBe(false)

  // What one account was shown, the next one does not get.
  await share('private.csv')
  await expect(card).toContainText('private.csv')
  const cookie = { name: 'atrium_session', url: options().baseURL, httpOnly: true, sameSite: 'Strict' } as const
  await page.context().addCookies([{ ...cookie, value: other.token }])
  await page.goto('/')
  await expect.poll(kept).toBe(false)
  await expect(composer(page)).toBeVisible()
  await expect(card).toHaveCount(0)
  expect(uploads).toHaveLength(1)

  // Signed out, it waits for the sign-in, and comes beside what is there already.
  await page.context().clearCookies()
  await share('more.csv')
  await page.getByLabel('User name').fill(testApp.admin.user.username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  expect(await kept()).toBe(true)
  await page.keyboard.press('Enter')
  await expect(card).toContainText('more.csv')

  // What is refused for now is offered again later; another window meanwhile offers only what came besides.
  const busy = { code: 'rate_limited', detail: 'Too many requests.' }
  await page.route(/\/api\/chat\/attachments/, (route) => route.fulfill({ status: 429, json: busy }), { times: 1 })
  await add.click()
  await expect(page.getByRole('button', { name: /again.*more\.csv|more\.csv.*again/i })).toBeVisible()
  const second = await page.context().newPage()
  await second.goto('/')
  await second.evaluate(post(['besides.csv'], '/share'))
  await expect(second.getByRole('region', { name: 'Shared files' })).toContainText('A file was shared with Atrium')
  await second.close()
  await page.reload()
  await expect(card).toContainText('2 files were shared with Atrium')
  await add.click()
  await expect(page.getByText('more.csv')).toBeVisible()
  await expect(page.getByText('figures.csv')).toHaveCount(1)
  await expect.poll(kept).toBe(false)
})

/** A script that posts a form with text and files, as the system does with what is shared. */
const post = (names: readonly string[], action: string) => `(() => {
  const form = Object.assign(document.createElement('form'), {
    action: ${JSON.stringify(action)},
    method: 'post',
    enctype: 'multipart/form-data',
  })
  const files = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true })
  const chosen = new DataTransfer()
  for (const name of ${JSON.stringify(names)}) {
    const content = name === 'large.csv' ? new Uint8Array(10 * 1024 * 1024 + 1) : 'a,b,1,2'
    chosen.items.add(new File([content], name, { type: 'text/csv' }))
  }
  files.files = chosen.files
  const text = Object.assign(document.createElement('input'), { name: 'text', value: 'What is in it?' })
  form.append(files, text)
  document.body.append(form)
  setTimeout(() => form.submit())
})()`
