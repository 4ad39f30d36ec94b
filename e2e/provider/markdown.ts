/** A long answer with everything that Markdown in chats may hold. */
export const markdownAnswer = `# A tour of Markdown

This answer shows **bold**, *italic*, ~~struck~~ and \`inline code\`, a [link](https://example.com/page) and a footnote-free life.

## Lists

1. First, make the dough.
2. Then wait.
   - Covered with a cloth
   - At least an hour
3. Bake it.

- [x] Flour
- [ ] Salt

## Code

\`\`\`typescript
interface Greeting {
  readonly name: string
}

export function greet({ name }: Greeting): string {
  return \`Hello, \${name}!\`
}
\`\`\`

\`\`\`python
def fib(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
\`\`\`

## A table

| City | Country | People |
|:-----|:-------:|-------:|
| Lisbon | Portugal | 545,000 |
| Cairo | Egypt | 10,100,000 |
| Oslo | Norway | 717,000 |

## Mathematics

Inline, $e^{i\\pi} + 1 = 0$, and on its own line:

$$
\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}
$$

## A diagram

\`\`\`mermaid
flowchart LR
  A[Question] --> B{Known?}
  B -- yes --> C[Answer]
  B -- no --> D[Search]
  D --> C
\`\`\`

> A quotation, with a second line
> and an end.

مرحبا بالعالم، هذه فقرة من اليمين إلى اليسار.

![A picture from elsewhere](https://example.com/picture.png)

---

<b>Raw HTML</b> is text here. That was all.
`
