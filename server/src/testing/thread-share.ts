/**
 * How much of the processor time that this process spends during some work is spent on the calling thread, 0 to 1. Other
 * programs on the machine do not change it, as they change the time that a thread looks busy.
 */
export const shareOfThisThread = async (work: () => Promise<unknown>): Promise<number> => {
  const [process_, thread] = [process.cpuUsage(), process.threadCpuUsage()]
  await work()
  return total(process.threadCpuUsage(thread)) / total(process.cpuUsage(process_))
}

const total = ({ user, system }: NodeJS.CpuUsage): number => user + system
