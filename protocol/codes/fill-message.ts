import type { MessageParams } from './codes.ts'

/**
 * Puts parameters into `{name}` placeholders. A part in square brackets, such as "[ (at most {limit})]", is shown only when
 * each of its placeholders has a parameter; outside of brackets, a placeholder without one is removed with the space before it.
 */
export function fillMessage(template: string, params: MessageParams): string {
  const whole = template.replaceAll(/\[([^\]]*)\]/g, (_, part: string) =>
    placesOf(part).every((name) => params[name] !== undefined) ? part : '',
  )
  return whole.replaceAll(/ ?\{(\w+)\}/g, (place, name: string) => {
    const value = params[name]
    if (value === undefined) return ''
    return place.startsWith(' ') ? ` ${value}` : String(value)
  })
}

const placesOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
