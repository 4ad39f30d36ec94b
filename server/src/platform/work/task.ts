/** What is sent to a thread or a process, and how it is done there. */

export interface Task {
  readonly module: string
  readonly name: string
  readonly input: unknown
}
export type Outcome =
  | { readonly value: unknown }
  | { readonly failure: { readonly name: string; readonly message: string } }

/** Imports the module a task names and calls the function; what it throws becomes an outcome. */
export const runTask = async (task: Task): Promise<Outcome> => {
  try {
    const module = (await import(task.module)) as Record<string, unknown>
    const work = module[task.name]
    if (typeof work !== 'function') throw new Error(`${task.module} exports no function ${task.name}`)
    return { value: await work(task.input) }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return { failure: { name, message } }
  }
}
