import { first as enFirst } from './en/first.ts'
import { inner as enInner } from './en/inner.ts'
import { first as twFirst } from './tw/first.ts'
import { inner as twInner } from './tw/inner.ts'
import { first as zhFirst } from './zh/first.ts'
import { inner as zhInner } from './zh/inner.ts'

/** Whole, for tests: the app itself brings one language in two parts. */
export const catalogs = {
  zh: { ...zhFirst, ...zhInner },
  tw: { ...twFirst, ...twInner },
  en: { ...enFirst, ...enInner },
}
