import { commandNames, definitionOf } from './command-table.ts'

const operatorsOf = { local: '–', 0: '–', 1: 'one', 2: 'two', decided: 'one or two' } as const

/** Cells of a table of all commands that can be typed: words, role, operators, effect. Options that may be left out are in their help. */
export const commandRows = (): string[][] =>
  commandNames.flatMap((name) => {
    const { signers, role, effect, isTyped, arguments: given, options } = definitionOf(name)
    if (!isTyped) return []
    const words = [
      name,
      ...given.map((one) => one.name().toUpperCase()),
      ...options.filter(isShown).map((one) => one.flags),
    ]
    return [[words.join(' '), role, operatorsOf[signers], effect]]
  })

/** The many options of plans and projects are in their help. */
const isShown = ({ long, mandatory }: { long?: string; mandatory: boolean }): boolean =>
  mandatory &&
  !/^--(?:name|description|information|total|rate|initial|safety|clearing|unit|term|min|max)/.test(long ?? '')
