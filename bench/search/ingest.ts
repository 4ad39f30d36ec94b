export async function measureIngest(
  say: (line?: string) => void,
  _table: (head: readonly string[]) => void,
): Promise<void> {
  say('')
}
