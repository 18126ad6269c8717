import { commandNames, definitionOf } from './command-table.ts'

const BEGIN = '<!-- commands: written by scripts/write-commands.ts -->'
const END = '<!-- end of commands -->'

/** Puts the table of commands into a document, between its two marks. @throws when a mark is missing */
export function fillCommands(document: string): string {
  const [before, rest] = document.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error('the document has no marks for the commands')
  return [before, BEGIN, '\n\n', tableOf(), '\n\n', END, after].join('')
}

const operatorsOf = { local: '–', 0: '–', 1: 'one', 2: 'two', decided: 'one or two' } as const

function tableOf(): string {
  const rows = commandNames.flatMap((name) => {
    const { signers, role, effect, isTyped, arguments: given, options } = definitionOf(name)
    if (!isTyped) return []
    const words = [
      name,
      ...given.map((one) => one.name().toUpperCase()),
      ...options.filter(isShown).map((one) => one.flags),
    ]
    return [`| \`${words.join(' ')}\` | ${role} | ${operatorsOf[signers]} | ${effect} |`]
  })
  return ['| command | role | operators | what it does |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** The many options of plans and projects are in their help. */
const isShown = ({ long, mandatory }: { long?: string; mandatory: boolean }): boolean =>
  mandatory &&
  !/^--(?:name|description|information|total|rate|initial|safety|clearing|unit|term|min|max)/.test(long ?? '')
