/** The state of the server: what an administrator sees of it, and that nobody else does. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import {
  answerWith,
  containerSecret,
  containerEngineSocket,
  startContainerEngine,
} from '../../server/src/testing/container-engine.ts'
import { openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

const folder = join(tmpdir(), `engine-${process.pid}`)
const testApp = openTestApp({ runtime: false, environment: { WORK_DOCKER_SOCKET: containerEngineSocket(folder) } })

test('an administrator sees host, process, memory, disks, network and containers', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'System' }).click()
  await expect(page).toHaveURL(/\/system$/)
  await expect(page.getByRole('heading', { name: 'System', level: 1 })).toBeVisible()
  await expect(page.getByText('No container engine found')).toBeVisible()
  await look(page, 'system-no-engine', { themes: ['light'] })

  const engine = await startContainerEngine(answerWith({}), folder)
  await page.getByRole('button', { name: 'Refresh' }).click()
  const containers = page.getByRole('region', { name: 'Containers' })
  await expect(containers.getByRole('row', { name: /web/ })).toContainText('Running')
  await expect(containers.getByRole('row', { name: /worker/ })).toContainText('Paused')
  await expect(page.getByText(containerSecret)).toHaveCount(0)
  await expect(page.getByRole('meter', { name: 'Machine' })).toHaveAttribute('aria-valuetext', /% used/)
  await expect(page.getByRole('region', { name: 'Network' })).toContainText('127.0.0.1/8')
  await expect(page.getByText('Working directory')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Processes' }).getByRole('row', { name: /Ready/ })).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Limits' })).toContainText('JavaScript heap')
  await expect(page.getByRole('region', { name: 'Jobs' })).toContainText('Cleanup')
  await expect(page.getByRole('region', { name: 'Largest tables' })).toContainText('documents')
  const part = (name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
  await expect(part('Backups')).toContainText('Last backupNever')
  await expect(part('Certificate')).toContainText('The public address isn’t https')
  const history = page.getByRole('img', { name: /^Memory: .* now, .* at most in the last hour$/ })
  await expect(history.locator('canvas')).toBeVisible()
  await page.getByRole('heading', { name: 'Processes' }).scrollIntoViewIfNeeded()
  await look(page, 'system-instance', { themes: ['light', 'dark'] })
  await containers.scrollIntoViewIfNeeded()
  await look(page, 'system', { themes: ['light', 'dark', 'contrast'] })
  await page.setViewportSize(phone.viewport)
  await containers.scrollIntoViewIfNeeded()
  await look(page, 'system-phone', { themes: ['light', 'dark'] })

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save support bundle' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^atrium-support-.*\.zip$/)
  await look(page, 'system-bundle', { themes: ['light', 'dark'] })

  engine.answer((_, response) => void response.writeHead(503).end('<h1>Bad gateway</h1>'))
  await page.getByRole('button', { name: 'Refresh' }).click()
  const reason = page.getByText('Unexpected response from the container engine')
  await reason.scrollIntoViewIfNeeded()
  await look(page, 'system-phone-bad-answer', { themes: ['light'] })
  await engine.close()
})

test('it is asked again every half minute, but only while somebody looks', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin, { own: true })
  let asked = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/system') asked += 1
  })
  await page.clock.install()
  await page.goto('/system')
  await expect(page.getByText(/^As of/)).toBeVisible()
  expect(asked).toBe(1)
  const answered = page.waitForResponse('**/api/system')
  await page.clock.runFor(31_000)
  await answered
  // Until what came is on the page, its age is not known.
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeEnabled()
  expect(asked).toBe(2)
  const focus = (has: boolean) =>
    page.evaluate(`document.hasFocus = () => ${has}; window.dispatchEvent(new Event('${has ? 'focus' : 'blur'}'))`)
  await focus(false)
  await page.clock.runFor(300_000)
  expect(asked).toBe(2)
  await focus(true)
  await expect.poll(() => asked).toBe(3)
})

test('it closes when the role is lost, and is nowhere for others', onlyInAll, async ({ visit }) => {
  const ben = await testApp.account('ben')
  const setRole = (role: 'admin' | 'user') =>
    testApp.admin.api.call(userAdministrationRoutes.update, { params: { id: ben.user.id }, body: { role } })
  await setRole('admin')
  const page = await visit(testApp, ben)
  await page.goto('/system')
  await expect(page.getByText(/^As of/)).toBeVisible()
  await setRole('user')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('link', { name: 'System' })).toHaveCount(0)
  await page.goto('/system')
  await expect(page).toHaveURL(/\/$/)
})
