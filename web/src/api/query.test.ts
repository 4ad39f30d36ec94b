import { notificationsRoutes } from '@atrium/contract/notifications'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { changeKnown, keyOf, queryClient, refresh } from './query.ts'

afterEach(() => queryClient.clear())

const queryKey = keyOf(notificationsRoutes.list)

test('a change that is told while something loads for the first time is read after that load', async () => {
  const first = Promise.withResolvers<string>()
  const answers = [first.promise, Promise.resolve('after the change')]
  const queryFn = vi.fn(() => answers.shift() ?? Promise.reject(new Error('asked too often')))
  const stop = new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => undefined)
  const told = refresh(notificationsRoutes.list)
  first.resolve('before the change')
  await told
  expect(queryClient.getQueryData(queryKey)).toBe('after the change')
  expect(queryFn).toHaveBeenCalledTimes(2)
  stop()
})

test('a first load that fails is asked for again by what changed meanwhile, and the change itself does not fail', async () => {
  const first = Promise.withResolvers<string>()
  const answers = [first.promise, Promise.resolve('there')]
  const queryFn = () => answers.shift() ?? Promise.reject(new Error('asked too often'))
  const stop = new QueryObserver(queryClient, { queryKey, queryFn, retry: false }).subscribe(() => undefined)
  const told = refresh(notificationsRoutes.list)
  first.reject(new Error('away'))
  await told
  expect(queryClient.getQueryData(queryKey)).toBe('there')
  stop()
})

test('what is shown already is loaded again once', async () => {
  const queryFn = vi.fn(() => Promise.resolve('there'))
  const observer = new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Infinity })
  const stop = observer.subscribe(() => undefined)
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('there'))
  await refresh(notificationsRoutes.list)
  expect(queryFn).toHaveBeenCalledTimes(2)
  stop()
})

test('a change stands on top of a load that began before it, whether that comes or is given up', async () => {
  const loads = [Promise.withResolvers<string[]>(), Promise.withResolvers<string[]>()]
  const queryFn = () => loads.shift()?.promise ?? new Promise<string[]>(() => undefined)
  const [first, second] = loads
  const observer = new QueryObserver(queryClient, { queryKey, queryFn, retry: false })
  const stop = observer.subscribe(() => undefined)
  const add = (name: string) => changeKnown<string[]>(queryKey, (all) => [...all.filter((one) => one !== name), name])
  add('a')
  first?.resolve(['old'])
  await vi.waitFor(() => expect(queryClient.getQueryData(queryKey)).toEqual(['old', 'a']))

  const again = observer.refetch()
  add('b')
  expect(queryClient.getQueryData(queryKey)).toEqual(['old', 'a', 'b'])
  add('c')
  second?.resolve(['old'])
  await again
  expect(queryClient.getQueryData(queryKey)).toEqual(['old', 'b', 'c'])

  void observer.refetch()
  add('d')
  await queryClient.cancelQueries({ queryKey })
  await vi.waitFor(() => expect(queryClient.getQueryData(queryKey)).toEqual(['old', 'b', 'c', 'd']))
  stop()
})
